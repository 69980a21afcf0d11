/** Gives Zod types the parsers that the build has compiled. The type providers that parse with these types need no change. */
import type { Artifact, TakeOption } from '../artifact/index.ts'
import { zodDigest, type ZodContext, type ZodRun, type ZodType } from '../artifact/zod-digest.ts'
import { ZOD_INVALID } from '../generated/zod.ts'

/** A compiled parser. Returns `ZOD_INVALID` for what it leaves to the live type, such as invalid values. */
type Parser = ((value: unknown) => unknown) & {
  /** True if encoding gives what parsing gives. */
  readonly encodes?: true
}

/** The application's `zod/v4/core`. */
interface ZodCore {
  isBackEdge?(context: ZodContext, value: unknown): boolean
}

/** Set by Zod on the context of a parse that goes on without compiled parsers. */
const FALLBACK = Symbol.for('zod.compile.fallback')

const attached = new WeakSet<ZodType>()

/**
 * Lets a Zod type parse with its compiled parser, if the artifacts contain it. That is looked up at the first parse. The live type
 * answers whatever the parser refuses, so that issues, messages and locales are its own.
 *
 * @param artifacts those with parsers of Zod's types
 */
export function attachParser(type: ZodType, artifacts: readonly Artifact[]): void {
  if (attached.has(type)) return
  attached.add(type)
  const internals = type._zod
  const live = internals.run.__originalRun ?? internals.run
  const lookUp: ZodRun = (payload, context) => {
    const found = findParser(type, artifacts)
    internals.run = found === undefined ? live : parsingWith(found.parser, live, found.zod)
    return internals.run(payload, context)
  }
  lookUp.__originalRun = live
  internals.run = lookUp
}

function findParser(
  type: ZodType,
  artifacts: readonly Artifact[],
): { readonly parser: Parser; readonly zod: ZodCore } | undefined {
  const digest = zodDigest(type)
  const artifact = digest && artifacts.find((one) => one.has(digest))
  if (!artifact) return undefined
  const zod = artifact.libraries?.['zod'] as ZodCore
  const roots = { zod, type }
  const take: TakeOption = (path) =>
    path.reduce<unknown>((owner, key) => (owner as Record<string | number, unknown>)[key], roots)
  return { parser: artifact.load(digest, take) as Parser, zod }
}

/** Does what Zod's `withParser` does, which returns a copy, and answers `encode` where that gives the same. */
function parsingWith(parse: Parser, live: ZodRun, zod: ZodCore): ZodRun {
  const run: ZodRun = (payload, context) => {
    if (context !== undefined) {
      if (context.async || context.skipChecks || context[FALLBACK]) return live(payload, context)
      if (context.direction === 'backward' && !parse.encodes) return live(payload, context)
      if (zod.isBackEdge?.(context, payload.value)) return live(payload, context)
    }
    const value = parse(payload.value)
    if (value === ZOD_INVALID) {
      if (context !== undefined) context[FALLBACK] = true
      return live(payload, context)
    }
    payload.value = value
    return payload
  }
  run.__originalRun = live
  return run
}
