/** Whether functions of an artifact answer as those that Fastify would compile: that is up to the packages it would compile with. */
import type { FastifyLine } from '../artifact/lines.ts'
import type { Log } from './instances.ts'
import { say } from './instances.ts'
import type { Kind } from './modules.ts'
import { COMPILERS } from './modules.ts'

/** How the versions begin that the functions of a line answer as: version 6.2 tells other unions apart, and has other tuples. */
export const MADE_FOR: Readonly<Record<FastifyLine, Readonly<Record<Kind, readonly string[]>>>> = {
  'fastify@4': { validator: ['3'], serializer: ['5', '6.0', '6.1'] },
  'fastify@5': { validator: ['4'], serializer: ['7'] },
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
    if (isOneOf(version, wanted)) return true
    const isKnown = Object.values(MADE_FOR).some((one) => isOneOf(version, one[kind]))
    const step = isKnown ? 'Run `framework build` again.' : 'No artifact answers as that version.'
    say(
      `The ${kind}s of the artifact answer as ${name} ${wanted.join(', ')}, and ${version} is installed: Fastify compiles its own. ${step}`,
      log(),
    )
    return false
  }
}

export function isOneOf(version: string, beginnings: readonly string[]): boolean {
  return beginnings.some((one) => version.startsWith(`${one}.`))
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
