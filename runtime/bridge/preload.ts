import type { ArtifactIndex } from '../artifact/load.ts'
import { openArtifact } from '../compiled/open-artifact.ts'
import type { Compilers, FastifyBuild } from './compilers.ts'
import { createCompilers, onFirstCall } from './compilers.ts'
import { createFit } from './fit.ts'
import type { Instance, Log } from './instances.ts'
import { lineOf, say, watchInstances } from './instances.ts'
import { createMissReporter } from './misses.ts'
import type { Kind, RequireCall } from './modules.ts'
import { replaceCompilers } from './modules.ts'
import type { BridgeIndex } from './bridge-index.ts'

/** The export of a Fastify compiler package: returns the function that creates compilers. */
type Selector = () => FastifyBuild

/** The compilers of one Fastify instance. */
interface InstanceCompilers {
  compilers: Compilers
  log: Log | undefined
}

/**
 * Gives every Fastify in this process the functions of an artifact, instead of its compiler packages.
 * Applications with their own compilers or controller keep them, because Fastify doesn't use these packages
 * then.
 *
 * @param url of the preloaded module; `?strict` refuses to start unless the artifact fits and has every schema
 */
export function preload(index: BridgeIndex, url: string): void {
  const strict = new URL(url).searchParams.has('strict')
  const artifact = openArtifact(index as ArtifactIndex)
  /** Calls of `require` for compiler packages, by the file of Fastify that contains them. */
  const calls = new Map<string, Partial<Record<Kind, RequireCall>>>()
  /** The compilers whose instance doesn't exist yet. */
  let pending: InstanceCompilers | undefined
  watchInstances(({ log }: Instance) => {
    if (pending !== undefined) pending.log = log
    pending = undefined
  })
  replaceCompilers((call) => {
    if (!isFor(call)) return undefined
    calls.set(call.file, { ...calls.get(call.file), [call.kind]: call })
    return call.kind === 'validator'
      ? () => compilersOf(call.file).buildValidator
      : () => compilersOf(call.file).buildSerializer
  })

  /** Returns whether the artifact is for this Fastify. */
  function isFor({ kind, version }: RequireCall): boolean {
    if (lineOf(version) === index.line) return true
    const message = `The artifact was built for ${index.line}, and this is Fastify ${version}. Run \`framework build\` again.`
    if (strict) throw new Error(message)
    if (kind === 'validator') say(`${message} Until then Fastify compiles every schema.`, undefined)
    return false
  }

  /** Returns the same object for both kinds, which Fastify requests while it creates an instance. */
  function compilersOf(file: string): Compilers {
    pending ??= create(file)
    return pending.compilers
  }

  function create(file: string): InstanceCompilers {
    const buildOf = (kind: Kind): FastifyBuild =>
      onFirstCall(() => {
        const { load } = (calls.get(file) as Record<Kind, RequireCall>)[kind]
        return (load() as Selector)()
      })
    const reporting = { strict, log: () => created.log }
    const created: InstanceCompilers = {
      log: undefined,
      compilers: createCompilers({
        artifact,
        line: index.line,
        serializers: index.serializers,
        lowersHeaders: false,
        fastify: { buildValidator: buildOf('validator'), buildSerializer: buildOf('serializer') },
        fits: createFit(index, () => file, reporting),
        reportMiss: createMissReporter(artifact, reporting),
      }),
    }
    return created
  }
}
