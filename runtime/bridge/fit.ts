/** Checks whether the artifact's functions answer like those that Fastify would compile, which depends on the installed packages. */
import type { FastifyLine, FastifySerializing } from '../artifact/lines.ts'
import type { BridgeIndex } from './bridge-index.ts'
import type { Reporting } from './instances.ts'
import { say } from './instances.ts'
import type { Kind } from './modules.ts'
import { COMPILERS } from './modules.ts'

/** From one version up to another, exclusive. */
interface Range {
  readonly from: string
  readonly below: string
}

/** The releases that functions answer like, by kind. */
interface AnswersLike {
  readonly validator: FastifyLine
  readonly serializer: FastifySerializing
}

/**
 * Versions that functions answer like. In fast-json-stringify, 5.12 changed the order of members, 5.13 added
 * a format, 6.2 changed how branches of unions are chosen, 7.1.0 accepts lists instead of objects, and 7.1.5
 * respects keywords beside `$ref`.
 */
export const MATCHING_VERSIONS: { readonly [K in Kind]: Readonly<Record<AnswersLike[K], Range>> } =
  {
    validator: {
      'fastify@4': { from: '3.0.0', below: '4.0.0' },
      'fastify@5': { from: '4.0.0', below: '5.0.0' },
    },
    serializer: {
      'fastify@4': { from: '5.13.0', below: '6.2.0' },
      'fast-json-stringify@6.2': { from: '6.2.0', below: '7.1.0' },
      'fastify@5': { from: '7.1.5', below: '8.0.0' },
    },
  }

/** Packages that determine the answers: the last one, as resolved from those before it. */
const DECIDING: Readonly<Record<Kind, readonly string[]>> = {
  validator: [COMPILERS.validator],
  serializer: [COMPILERS.serializer, 'fast-json-stringify'],
}

/**
 * Creates the check whether the functions of a kind match the installed packages. If not, it warns once, or throws in strict mode.
 *
 * @param file returns a file of the installed Fastify, from which packages are resolved
 */
export function createFit(
  { line, serializers }: Pick<BridgeIndex, 'line' | 'serializers'>,
  file: () => string,
  { strict, log }: Reporting,
): (kind: Kind) => boolean {
  const checked = new Map<Kind, boolean>()
  return (kind) => {
    let fits = checked.get(kind)
    if (fits === undefined) checked.set(kind, (fits = check(kind)))
    return fits
  }

  function check(kind: Kind): boolean {
    const { name, version } = installedFor(kind, file())
    const ranges: Readonly<Record<string, Range>> = MATCHING_VERSIONS[kind]
    const range = ranges[kind === 'validator' ? line : serializers] as Range
    if (isWithin(version, range)) return true
    const isKnown = Object.values(ranges).some((other) => isWithin(version, other))
    const step = isKnown ? 'Run `framework build` again.' : 'No artifact answers as that version.'
    const what = `The ${kind}s of the artifact answer as ${name} >=${range.from} <${range.below}, and ${version} is installed`
    if (strict) throw new Error(`${what}. ${step}`)
    say(`${what}: Fastify compiles its own. ${step}`, log())
    return false
  }
}

export function isWithin(version: string, { from, below }: Range): boolean {
  return isAtLeast(version, from) && !isAtLeast(version, below)
}

function isAtLeast(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((one) => one.split(/[.-]/, 3).map(Number))
  const place = numbers?.findIndex((number, index) => number !== others?.[index]) ?? -1
  return place < 0 || Number(numbers?.[place]) > Number(others?.[place])
}

/**
 * Finds the installed package that determines the answers.
 *
 * @param file a file of Fastify
 */
export function installedFor(
  kind: Kind,
  file: string,
): { readonly name: string; readonly version: string } {
  const { createRequire } = process.getBuiltinModule('node:module')
  let from = file
  for (const name of DECIDING[kind]) from = createRequire(from).resolve(`${name}/package.json`)
  return createRequire(file)(from) as { readonly name: string; readonly version: string }
}
