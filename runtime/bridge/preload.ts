import type { ArtifactIndex } from '../artifact/load.ts'
import { openArtifact } from '../compiled/open-artifact.ts'
import type { Compilers, OwnBuild } from './compilers.ts'
import { createCompilers, onFirstCall } from './compilers.ts'
import { createFit } from './fit.ts'
import type { Instance, Log } from './instances.ts'
import { lineOf, say, watchInstances } from './instances.ts'
import { createMisses } from './misses.ts'
import type { Asking, Kind } from './modules.ts'
import { standIn } from './modules.ts'
import type { BridgeIndex } from './bridge-index.ts'

/** The export of a Fastify compiler package. */
type Selector = () => OwnBuild

/** The compilers of one Fastify instance. */
interface OfInstance {
  compilers: Compilers
  log: Log | undefined
}

/**
 * Gives every Fastify in this process the functions of an artifact, instead of its compiler packages.
 * Applications with their own compilers or controller keep them, because Fastify doesn't load these packages
 * then.
 *
 * @param url of the preloaded module; `?strict` refuses to start with a schema that the artifact lacks
 */
export function preload(index: BridgeIndex, url: string): void {
  const strict = new URL(url).searchParams.has('strict')
  const artifact = openArtifact(index as ArtifactIndex)
  const loads = new Map<string, Partial<Record<Kind, Asking>>>()
  /** The compilers whose instance doesn't exist yet. */
  let open: OfInstance | undefined
  watchInstances(({ log }: Instance) => {
    if (open !== undefined) open.log = log
    open = undefined
  })
  standIn((asking) => {
    if (!isFor(asking)) return undefined
    const askings = loads.get(asking.file) ?? {}
    loads.set(asking.file, { ...askings, [asking.kind]: asking })
    return asking.kind === 'validator'
      ? () => compilersOf(asking.file).buildValidator
      : () => compilersOf(asking.file).buildSerializer
  })

  function isFor({ kind, version }: Asking): boolean {
    if (lineOf(version) === index.line) return true
    const message = `The artifact was built for ${index.line}, and this is Fastify ${version}. Run \`framework build\` again.`
    if (strict) throw new Error(message)
    if (kind === 'validator') say(`${message} Until then Fastify compiles every schema.`, undefined)
    return false
  }

  /** Fastify requests both while it creates an instance. */
  function compilersOf(file: string): Compilers {
    open ??= create(file)
    return open.compilers
  }

  function create(file: string): OfInstance {
    const own = (kind: Kind): OwnBuild =>
      onFirstCall(() => {
        const { load } = (loads.get(file) as Record<Kind, Asking>)[kind]
        return (load() as Selector)()
      })
    const one: OfInstance = {
      log: undefined,
      compilers: createCompilers({
        artifact,
        line: index.line,
        serializers: index.serializers,
        lowersHeaders: false,
        own: { buildValidator: own('validator'), buildSerializer: own('serializer') },
        fits: createFit({ validator: index.line, serializer: index.serializers }, () => file, {
          strict,
          log: () => one.log,
        }),
        reportMiss: createMisses({ artifact, strict, log: () => one.log }),
      }),
    }
    return one
  }
}
