/**
 * Compiles a Zod type ahead of time. Zod's own compiler writes the code: it runs here with a `Function` that records the code and the
 * values that the code refers to. `link.ts` replaces these values by expressions.
 */
import { zodDigest, type ZodType } from '../../../../runtime/artifact/zod-digest.ts'
import type { CompiledType } from '../library.ts'
import { loadCore, type Parser, type ZodCore } from './core.ts'
import { link, LinkError } from './link.ts'
import { isNeutral } from './neutral.ts'
import { survey } from './survey.ts'

/** A function that Zod's compiler has made. */
export interface Recorded {
  readonly names: readonly string[]
  readonly values: readonly unknown[]
  readonly body: string
}

/** @param core by default, that of the application */
export function compileParser(type: ZodType, core: ZodCore = loadCore()): CompiledType {
  const { version } = type._zod
  if (core.compileFn === undefined || core.withParser === undefined)
    return { refusal: `Zod ${textOf(version)} has no compiler for builds, Zod 4.6 has one` }
  if (textOf(core.version) !== textOf(version))
    return { refusal: `it is of Zod ${textOf(version)}, and \`zod\` is ${textOf(core.version)}` }
  try {
    return { parser: parserOf(type, core, core.compileFn) }
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    return { refusal: error.message }
  }
}

function parserOf(
  type: ZodType,
  core: ZodCore,
  compile: (type: ZodType) => Parser,
): CompiledType['parser'] {
  // Before the probes are installed.
  const digest = zodDigest(type)
  if (digest === undefined) throw new LinkError('it cannot be read to its end')
  const surveyed = survey(type)
  const recorded = new Map<unknown, Recorded>()
  const { expression, imports, members, takes } = surveyed.withProbes(() =>
    link(
      recording(() => compile(type), recorded),
      recorded,
      surveyed,
      core,
    ),
  )
  const encodes = isNeutral(type)
  const parser = encodes ? `Object.assign(${expression},{encodes:true})` : expression
  // Not an arrow function: V8 takes three times as long to read those with arrow functions inside.
  const maker = `function(${takes ? 'take' : ''}){return ${parser}}`
  return { digest, module: 'zod/v4/core', members, maker, imports, encodes }
}

/** Runs a function with a global `Function` that records. */
function recording<T>(run: () => T, recorded: Map<unknown, Recorded>): T {
  const RealFunction = globalThis.Function
  globalThis.Function = function (...names: string[]) {
    const body = names.pop() ?? ''
    const factory = new RealFunction(...names, body) as (...values: unknown[]) => unknown
    return (...values: unknown[]) => {
      const made = factory(...values)
      recorded.set(made, { names, values, body })
      return made
    }
  } as unknown as FunctionConstructor
  try {
    return run()
  } catch (error) {
    // Its reasons, and errors of getters of the application. Zod itself leaves such types to its interpreter.
    throw new LinkError(error instanceof Error ? error.message : String(error))
  } finally {
    globalThis.Function = RealFunction
  }
}

function textOf({ major, minor, patch }: ZodType['_zod']['version']): string {
  return `${major}.${minor}.${patch}`
}
