/** The files of an artifact, in memory. */
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { Catalogue } from '../../runtime/artifact/functions/index.ts'
import type { ArtifactFile } from '../../runtime/artifact/files.ts'
import type { EagerArtifact } from '../../runtime/artifact/load-eager.ts'
import type { FastifySerializing } from '../../runtime/artifact/lines.ts'
import { ARTIFACT_FORMAT, VERSION } from '../../runtime/artifact/version.ts'
import type {
  Digest,
  Output,
  PackedUnit,
  ResolvedApp,
  ResolvedOptions,
  ResolvedRoute,
} from '../model/index.ts'
import type { SourceFiles } from '../util/source-files.ts'
import { chunkModule, chunkSource, createChunks, moduleSource, type Chunk } from './chunks.ts'
import {
  bundledMembers,
  entryFilesOfFastify,
  entryFilesOfRuntime,
  kindOfFolder,
  type Index,
} from './entry-files.ts'
import type { LibraryParsers } from './library-parsers.ts'
import { NOTE } from './overwrite-conflict.ts'

/** The files of an artifact, and what they are made of. */
export interface BundledOutput extends Output {
  /** Digests of all functions, in their order. */
  readonly digests: readonly Digest[]
  readonly index: Index
  /** The contents of `worker.mjs` without the functions. */
  readonly eager: Omit<EagerArtifact, 'functions'>
  /** Code that imports modules of schema libraries and functions of the runtime, and the members of the artifact with them. */
  readonly imported: ReturnType<typeof bundledMembers>
  /** Returns the chunks as ES modules, with the number of functions in each. */
  modules(): readonly { readonly source: string; readonly count: number }[]
}

/** Compiled functions, and what the catalogue says about them. */
type Bundled = Pick<Catalogue, 'replayChecks'> & {
  readonly packed: readonly PackedUnit[]
}

/**
 * Joins the compiled functions to the files of an artifact.
 *
 * @param manifest the text of `manifest.json`
 */
export function outputOf(
  { packed, replayChecks = [] }: Bundled,
  manifest: string,
  app: ResolvedApp,
  parsers: LibraryParsers,
  options: ResolvedOptions,
  files: SourceFiles,
): BundledOutput {
  const { line, serializers } = options
  const kind = kindOfFolder(options.out, files)
  const chunks = createChunks([...packed, ...parsers.packed])
  const parts = new Map<string, string>()
  const digests = chunks.flatMap((chunk) => chunk.digests)
  const catalogue: Catalogue = {
    digests: digests.join(' '),
    counts: chunks.map((chunk) => chunk.digests.length),
    routes: routeLines(completeRoutes(app, digests), digests),
    ...(replayChecks.length > 0 && { replayChecks }),
  }
  const common = {
    format: ARTIFACT_FORMAT,
    version: VERSION,
    ...(line !== 'framework' && { line }),
  }
  const index: Index = {
    ...common,
    catalogue: addPart(parts, JSON.stringify(catalogue), 'json'),
    chunks: chunks.map((chunk) => addPart(parts, chunkSource(chunk), 'cjs')),
  }
  const { counts: _, ...functionsAndRoutes } = catalogue
  const eager = { ...common, ...functionsAndRoutes }
  const { modules } = parsers
  const imported = bundledMembers(modules, replayChecks.length > 0)
  return {
    digests,
    index,
    eager,
    imported,
    modules: () =>
      chunks.map((chunk) => ({ source: chunkModule(chunk), count: chunk.digests.length })),
    parts,
    entryFiles: new Map([
      ['manifest.json', manifest],
      ...(line === 'framework'
        ? []
        : entryFilesOfFastify(
            { ...index, line, serializers: serializers.as as FastifySerializing },
            kind,
          )),
      ...(line === 'fastify@4'
        ? []
        : ([
            ['worker.mjs', workerSource(chunks, eager, imported)],
            ...entryFilesOfRuntime(index, kind, modules),
          ] as const)),
    ]),
    bytes: Buffer.byteLength([...parts.values()].join('')),
  }
}

/** Returns the routes of which every function was compiled. */
export function completeRoutes(
  { routes }: Pick<ResolvedApp, 'routes'>,
  digests: readonly Digest[],
): ResolvedRoute[] {
  const compiled = new Set(digests)
  return routes.filter(({ functions }) => functions.every(({ digest }) => compiled.has(digest)))
}

/** Writes `Catalogue.routes`, without duplicates. */
function routeLines(routes: readonly ResolvedRoute[], digests: readonly Digest[]): string {
  const positions = new Map(digests.map((digest, i) => [digest, i]))
  const lines = routes.map(
    ({ digest, functions }) =>
      `;${digest}:${functions.map((one) => positions.get(one.digest)).join(' ')}`,
  )
  return `${[...new Set(lines)].sort().join('')};`
}

/** Names a file after its content. */
function addPart(
  parts: Map<string, string>,
  text: string,
  extension: 'cjs' | 'json',
): ArtifactFile {
  const digest = digestOf(text)
  const file = `chunks/c-${digest}.${extension}`
  parts.set(file, text)
  return { file, size: Buffer.byteLength(text), digest }
}

function workerSource(
  chunks: readonly Chunk[],
  eager: Omit<EagerArtifact, 'functions'>,
  { imports, members }: BundledOutput['imported'],
): string {
  const text = moduleSource(
    chunks,
    ['openEagerArtifact'],
    (makers) =>
      `export default openEagerArtifact({...${JSON.stringify(eager)}${members},functions:${makers}})`,
  )
  return NOTE + imports + text
}
