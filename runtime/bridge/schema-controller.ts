import type { ArtifactIndex } from '../artifact/load.ts'
import { openArtifact } from '../compiled/open-artifact.ts'
import type { BridgeIndex } from './bridge-index.ts'
import type { Compilers, OwnBuild } from './compilers.ts'
import { createCompilers, onFirstCall } from './compilers.ts'
import { createFit } from './fit.ts'
import type { Log } from './instances.ts'
import { lineOf, say, watchInstances } from './instances.ts'
import { createMisses } from './misses.ts'
import type { Kind } from './modules.ts'
import { COMPILERS } from './modules.ts'

export interface SchemaControllerOptions {
  /** Refuse to start with a schema that the artifact lacks. Default `false`. */
  readonly strict?: boolean | undefined
}

/** Fastify's factory option `schemaController`. */
export interface SchemaController {
  readonly compilersFactory: Compilers
}

/** Creates a `schemaController` that gives Fastify the functions of an artifact. */
export function createSchemaController(
  index: BridgeIndex,
  { strict = false }: SchemaControllerOptions = {},
): SchemaController {
  const artifact = openArtifact(index as ArtifactIndex)
  let log: Log | undefined
  let other: string | undefined
  watchInstances((instance) => {
    log = instance.log
    if (lineOf(instance.version) !== index.line) other ??= instance.version
  })
  const require = process.getBuiltinModule('node:module').createRequire(index.url)
  const file = (): string => require.resolve('fastify')
  const own = (kind: Kind): OwnBuild =>
    onFirstCall(() => {
      const load = process.getBuiltinModule('node:module').createRequire(file())
      return (load(COMPILERS[kind]) as () => OwnBuild)()
    })
  const reporting = { strict, log: () => log }
  const fits = createFit(index, file, reporting)
  return {
    compilersFactory: createCompilers({
      artifact,
      line: index.line,
      serializers: index.serializers,
      lowersHeaders: true,
      own: { buildValidator: own('validator'), buildSerializer: own('serializer') },
      fits: (kind) => isAlone() && fits(kind),
      reportMiss: createMisses(artifact, reporting),
    }),
  }

  /** The requesting instance is unknown, so all instances must belong to the same release line. */
  function isAlone(): boolean {
    if (other === undefined) return true
    const message = `The artifact was built for ${index.line}, and this is Fastify ${other}. Run \`framework build\` again.`
    if (strict) throw new Error(message)
    if (!hasWarned) say(`${message} Until then Fastify compiles every schema.`, log)
    hasWarned = true
    return false
  }
}

let hasWarned = false
