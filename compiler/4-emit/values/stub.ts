/**
 * Writes an object that replaces Ajv or the context of a keyword in an artifact: it has only the members that functions of the
 * application read. Data becomes a literal. Loggers and functions of the application are imported.
 */
import type { Ajv, Logger } from 'ajv'
import type { MemberPath } from './member-reads.ts'
import { rephrase } from '../errors.ts'
import { literal, property } from '../../util/literal.ts'

/** An object, and the members of it that are read. */
export interface ReadObject {
  readonly value: unknown
  readonly paths: readonly MemberPath[]
  /** The name in messages: `this`, `it`. */
  readonly name: string
}

/** Returns the code for a function or a logger. Throws an EmitError if nothing exports it. */
export type Imported = (value: unknown) => string

/** Replaces the default logger of Ajv, which is the console. */
export const QUIET: Logger = { log() {}, warn() {}, error() {} }

const CONSOLES: ReadonlySet<unknown> = new Set([undefined, QUIET, console])

export function createStub({ value, paths, name }: ReadObject, imported: Imported): string {
  return objectOf(value, paths, name)

  function objectOf(holder: unknown, paths: readonly MemberPath[], label: string): string {
    const members = new Map<string, MemberPath[]>()
    for (const [key = '', ...rest] of paths) members.set(key, [...(members.get(key) ?? []), rest])
    const fields = [...members].map(
      ([key, rests]) => `${property(key)}:${memberOf(holder, key, rests, `${label}.${key}`)}`,
    )
    return `{${fields.join()}}`
  }

  function memberOf(
    holder: unknown,
    key: string,
    rests: readonly MemberPath[],
    label: string,
  ): string {
    const orRefuse = (code: () => string): string =>
      rephrase(code, () => `an artifact has no \`${label}\` of Ajv`)
    const member = (holder as Readonly<Record<string, unknown>>)[key]
    if (key === 'logger') return loggerCode(member)
    if (typeof member === 'function') return orRefuse(() => imported(member))
    const isMembers = typeof member === 'object' && member !== null && !Array.isArray(member)
    if (isMembers && rests.every((rest) => rest.length > 0)) return objectOf(member, rests, label)
    return orRefuse(() => literal(member))
  }

  function loggerCode(logger: unknown): string {
    if (CONSOLES.has(logger)) return 'console'
    if (logger === false) return '{log(){},warn(){},error(){}}'
    return imported(logger)
  }
}

/** Returns an Ajv as functions of the application see it: `logger` is what the options contain. */
export function ajvOf(ajv: Ajv): object {
  return Object.assign(Object.create(ajv) as object, { logger: ajv.opts.logger })
}
