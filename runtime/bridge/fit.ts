/** Whether functions of an artifact answer as those that Fastify would compile: that is up to the packages it would compile with. */
import type { FastifyLine } from '../artifact/lines.ts'
import type { Log } from './instances.ts'
import { say } from './instances.ts'
import type { Kind } from './modules.ts'
import { COMPILERS } from './modules.ts'

/** The major versions that the functions of a line answer as. */
const MADE_FOR: Readonly<Record<FastifyLine, Readonly<Record<Kind, string>>>> = {
  'fastify@4': { validator: '3', serializer: '5' },
  'fastify@5': { validator: '4', serializer: '7' },
}

/** What decides about the answers: for serializers a package that the compiler uses. */
const DECIDING: Readonly<Record<Kind, readonly string[]>> = {
  validator: [COMPILERS.validator],
  serializer: [COMPILERS.serializer, 'fast-json-stringify'],
}

/** @param file of Fastify: what is installed for it counts */
export function createFit(
  line: FastifyLine,
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
    const { name, version } = installed(DECIDING[kind], file)
    const wanted = MADE_FOR[line][kind]
    if (version.split('.', 1)[0] === wanted) return true
    say(
      `The ${kind}s of the artifact answer as ${name} ${wanted} does, and ${version} is installed: Fastify compiles its own.`,
      log(),
    )
    return false
  }
}

/** The last of `names`, each found from the one before. */
function installed(
  names: readonly string[],
  file: string,
): { readonly name: string; readonly version: string } {
  const { createRequire } = process.getBuiltinModule('node:module')
  let from = file
  for (const name of names) from = createRequire(from).resolve(`${name}/package.json`)
  return createRequire(file)(from) as { readonly name: string; readonly version: string }
}
