/** Whether functions of an artifact answer as those that Fastify would compile: that is up to the packages it would compile with. */
import type { FastifyLine } from '../artifact/lines.ts'
import type { Log } from './instances.ts'
import { say } from './instances.ts'
import type { Kind } from './modules.ts'
import { COMPILERS } from './modules.ts'

/** Versions from one to another, which is not among them. */
interface Range {
  readonly from: string
  readonly below: string
}

/**
 * The versions that the functions of a line answer as. Version 5.12 brought another order of members, 5.13 a format, 6.2 another
 * way to tell the branches of unions apart, 7.1 lists where objects may stand too.
 */
export const MADE_FOR: Readonly<Record<FastifyLine, Readonly<Record<Kind, Range>>>> = {
  'fastify@4': {
    validator: { from: '3.0', below: '4.0' },
    serializer: { from: '5.13', below: '6.2' },
  },
  'fastify@5': {
    validator: { from: '4.0', below: '5.0' },
    serializer: { from: '7.1', below: '8.0' },
  },
}

/** What decides about the answers: for serializers a package that the compiler uses. */
const DECIDING: Readonly<Record<Kind, readonly string[]>> = {
  validator: [COMPILERS.validator],
  serializer: [COMPILERS.serializer, 'fast-json-stringify'],
}

/**
 * @param lines whose functions are in the artifact
 * @param file of Fastify: what is installed for it counts
 */
export function createFit(
  lines: Readonly<Record<Kind, FastifyLine>>,
  file: string,
  log: () => Log | undefined,
): (kind: Kind) => boolean {
  const known = new Map<Kind, boolean>()
  return (kind) => {
    let fits = known.get(kind)
    if (fits === undefined) known.set(kind, (fits = look(kind)))
    return fits
  }

  function look(kind: Kind): boolean {
    const { name, version } = installedFor(kind, file)
    const wanted = MADE_FOR[lines[kind]][kind]
    if (isWithin(version, wanted)) return true
    const isKnown = Object.values(MADE_FOR).some((one) => isWithin(version, one[kind]))
    const step = isKnown ? 'Run `framework build` again.' : 'No artifact answers as that version.'
    say(
      `The ${kind}s of the artifact answer as ${name} >=${wanted.from} <${wanted.below}, and ${version} is installed: Fastify compiles its own. ${step}`,
      log(),
    )
    return false
  }
}

export function isWithin(version: string, { from, below }: Range): boolean {
  return isAtLeast(version, from) && !isAtLeast(version, below)
}

function isAtLeast(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number)
  return major > otherMajor || (major === otherMajor && minor >= otherMinor)
}

/** The package that decides: the last one, each found from the one before. @param file of Fastify */
export function installedFor(
  kind: Kind,
  file: string,
): { readonly name: string; readonly version: string } {
  const { createRequire } = process.getBuiltinModule('node:module')
  let from = file
  for (const name of DECIDING[kind]) from = createRequire(from).resolve(`${name}/package.json`)
  return createRequire(file)(from) as { readonly name: string; readonly version: string }
}
