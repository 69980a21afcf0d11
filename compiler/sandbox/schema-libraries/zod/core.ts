/** The members of `zod/v4/core` that are used here. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import type { ZodType } from '../../../../runtime/artifact/zod-digest.ts'

export interface ZodCore {
  readonly toJSONSchema: (type: ZodType, options: object) => unknown
  /** Since 4.5. Writes code, and calls `Function` with it. */
  readonly compileFn?: (type: ZodType) => Parser
  /** Since 4.6, made for compilers like this one. */
  readonly withParser?: unknown
  readonly INVALID: symbol
  readonly util: Readonly<Record<string, unknown>>
  readonly regexes: Readonly<Record<string, unknown>>
  readonly version: ZodType['_zod']['version']
  readonly [name: string]: unknown
}

export type Parser = (value: unknown) => unknown

/** What Zod's types are defined by, as far as it's read here. */
export type Definition = Readonly<Record<string, unknown>> & {
  readonly type?: string
  readonly check?: string
}

export function definitionOf(type: ZodType): Definition {
  return type._zod.def as Definition
}

/** Returns the core of the application's Zod. */
export function loadCore(): ZodCore {
  const load = createRequire(join(process.cwd(), 'package.json'))
  return load('zod/v4/core') as ZodCore
}
