/**
 * What a function of the application asks of Ajv, as an object that has just that: an artifact has no Ajv. What is
 * data is written down; a log and functions of the application are taken from where they are.
 */
import type { Ajv, Logger } from 'ajv'
import type { MemberPath } from './member-reads.ts'
import { EmitError } from '../errors.ts'
import { literal, property } from '../text/source.ts'

/** Something that is asked for members, and which ones. */
export interface Asked {
  readonly value: unknown
  readonly paths: readonly MemberPath[]
  /** How a message speaks of it: `this`, `it`. */
  readonly name: string
}

/** The code for what is no data; throws an EmitError when it is nowhere to be taken from. */
export type Imported = (value: unknown) => string

/** The log of an Ajv for which the application has named none: in its process that is the console. */
export const QUIET: Logger = { log() {}, warn() {}, error() {} }

const CONSOLES: ReadonlySet<unknown> = new Set([undefined, QUIET, console])

export function createStub({ value, paths, name }: Asked, imported: Imported): string {
  return objectOf(value, paths, name)

  function objectOf(holder: unknown, asked: readonly MemberPath[], way: string): string {
    const members = new Map<string, MemberPath[]>()
    for (const [key = '', ...rest] of asked) members.set(key, [...(members.get(key) ?? []), rest])
    const fields = [...members].map(
      ([key, rests]) => `${property(key)}:${memberOf(holder, key, rests, `${way}.${key}`)}`,
    )
    return `{${fields.join()}}`
  }

  function memberOf(
    holder: unknown,
    key: string,
    rests: readonly MemberPath[],
    way: string,
  ): string {
    const member = (holder as Readonly<Record<string, unknown>>)[key]
    if (key === 'logger') return loggerCode(member)
    if (typeof member === 'function') return orRefuse(() => imported(member), way)
    const isWhole = typeof member !== 'object' || member === null || Array.isArray(member)
    if (!isWhole && rests.every((rest) => rest.length > 0)) return objectOf(member, rests, way)
    return orRefuse(() => literal(member), way)
  }

  function loggerCode(logger: unknown): string {
    if (CONSOLES.has(logger)) return 'console'
    if (logger === false) return '{log(){},warn(){},error(){}}'
    return imported(logger)
  }
}

/** An Ajv as functions see it: with the log that it was given. */
export function ajvOf(ajv: Ajv): object {
  return Object.assign(Object.create(ajv) as object, { logger: ajv.opts.logger })
}

function orRefuse(code: () => string, way: string): string {
  try {
    return code()
  } catch (error) {
    if (!(error instanceof EmitError)) throw error
    throw new EmitError(`an artifact does not have \`${way}\` of Ajv`, { cause: error })
  }
}
