import type { ArtifactIndex } from '../artifact/load.ts'
import { openArtifact } from '../compiled/open-artifact.ts'
import type { BridgeIndex } from './bridge-index.ts'
import type { Compilers, FastifyBuild } from './compilers.ts'
import { createCompilers, onFirstCall } from './compilers.ts'
import { createFit } from './fit.ts'
import type { Log } from './instances.ts'
import { lineOf, say, watchInstances } from './instances.ts'
import { createMissReporter } from './misses.ts'
import type { Kind } from './modules.ts'
import { COMPILERS } from './modules.ts'

export interface SchemaControllerOptions {
  /** Refuse to start with a schema that the artifact lacks, or with another Fastify than it was built for. Default `false`. */
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
  let otherVersion: string | undefined
  watchInstances((instance) => {
    log = instance.log
    if (lineOf(instance.version) !== index.line) otherVersion ??= instance.version
  })
  const require = process.getBuiltinModule('node:module').createRequire(index.url)
  const fastifyFile = (): string => require.resolve('fastify')
  const buildOf = (kind: Kind): FastifyBuild =>
    onFirstCall(() => {
      const load = process.getBuiltinModule('node:module').createRequire(fastifyFile())
      return (load(COMPILERS[kind]) as () => FastifyBuild)()
    })
  const reporting = { strict, log: () => log }
  const fits = createFit(index, fastifyFile, reporting)
  return {
    compilersFactory: createCompilers({
      artifact,
      line: index.line,
      serializers: index.serializers,
      lowersHeaders: true,
      fastify: { buildValidator: buildOf('validator'), buildSerializer: buildOf('serializer') },
      fits: (kind) => isOneLine() && fits(kind),
      reportMiss: createMissReporter(artifact, reporting),
    }),
  }

  /** The requesting instance is unknown, so all instances must belong to the same release line. */
  function isOneLine(): boolean {
    if (otherVersion === undefined) return true
    const message = `The artifact was built for ${index.line}, and this is Fastify ${otherVersion}. Run \`framework build\` again.`
    if (strict) throw new Error(message)
    if (!hasWarned) say(`${message} Until then Fastify compiles every schema.`, log)
    hasWarned = true
    return false
  }
}

/** Shared by all controllers: one warning per process is enough. */
let hasWarned = false
