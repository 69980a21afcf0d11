import type { FastifyError, FastifyErrorConstructor } from '@fastify/error'
import type { ErrorCode } from '../errors/index.ts'
import type { Fastify5OnlyCode } from '../errors/fastify-5.ts'
import type { ByLine } from './basic/line.ts'
import type { SchemaErrorDataVar } from './schema.ts'

/** One violation of a schema, in the words of Ajv. */
export interface ValidationResult {
  keyword: string
  /** JSON pointer to the offending value; empty for the whole part. */
  instancePath: string
  schemaPath: string
  params: Record<string, ByLine<string | string[], unknown>>
  message?: string
}

// In the package that creates errors instead of an interface of our own, so that errors that an application types with `@fastify/error` have
// the same type. The declarations must stay identical to those of the line's Fastify, because both can be part of one program.
declare module '@fastify/error' {
  interface FastifyError {
    /** Set on the error of a request that breaks its schema. */
    validation?: ValidationResult[]
    /** The part of the request that broke it. */
    validationContext?: SchemaErrorDataVar
  }
}

export type { FastifyError, FastifyErrorConstructor }

/** A request that Node's HTTP parser couldn't read, or a socket error. */
export interface ConnectionError extends Error {
  code: string
  bytesParsed: number
  rawPacket: {
    type: string
    data: number[]
  }
}

/** Type of `errorCodes`: the classes of Fastify's errors, by code. The runtime's own, `FST_ERR_AOT_*`, aren't among them. */
export type FastifyErrorCodes = Record<ErrorCode, FastifyErrorConstructor> & {
  /** Codes that only `framework/5` has. */
  readonly [code in Fastify5OnlyCode]: FastifyErrorConstructor
}
