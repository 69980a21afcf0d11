/** Opens an artifact on Node: functions stand in chunk files that are loaded when first needed. */
import { digestOf } from './digest.ts'
import type { Artifact, CompiledFunction, Digest } from './index.ts'

/** One file of functions. */
export interface ArtifactChunk {
  /** Relative to the artifact's folder. */
  readonly file: string
  /** The digest of the file. */
  readonly checksum: Digest
  /** The digests of its functions, joined by spaces, in the order in which the file exports them. */
  readonly digests: string
}

/** What `index.mjs` of an artifact says of itself. */
export interface ArtifactIndex {
  readonly format: number
  readonly version: string
  /** `import.meta.url` of the index. */
  readonly url: string
  readonly chunks: readonly ArtifactChunk[]
  /** What `routeDigest` gives for the routes that have all of their functions, joined by spaces. */
  readonly routes: string
  /** `plainDigest` to digest, of functions whose schema has annotations. */
  readonly plain: Readonly<Record<Digest, Digest>>
}

/** A file of the artifact is not what the build wrote. */
export class DamagedArtifactError extends Error {
  readonly file: string
  constructor(file: string, reason: string) {
    super(`"${file}" ${reason}`)
    this.file = file
  }
}

/** Makes a function: generated code is compiled by the engine when it is first asked for. */
export type Maker = () => CompiledFunction

/** What a chunk file exports: given what its functions call, their makers. */
type ChunkModule = (internals: Readonly<Record<string, unknown>>) => readonly Maker[]

interface Manifest {
  readonly routes: readonly {
    readonly method: string
    readonly url: string
    readonly at: string
    readonly dynamic: readonly {
      readonly part: string
      readonly message: string
      readonly at: string
    }[]
  }[]
}

/**
 * Opens the artifact whose index is given. Reads no other file yet.
 *
 * @param internals what generated code may call; handed to the chunks, because a chunk that imports nothing needs
 * nothing resolved when the first request waits for it
 */
export function openChunks(
  index: ArtifactIndex,
  internals: Readonly<Record<string, unknown>>,
): Artifact {
  const functions = new Map<Digest, CompiledFunction>()
  const chunks = new Map<ArtifactChunk, readonly Maker[]>()
  /** Digest to position in `index.chunks`; made for those who ask for many. */
  let places: Map<Digest, number> | undefined
  let searches = 0
  let routes: ReadonlySet<Digest> | undefined
  let folder: string | undefined
  return {
    format: index.format,
    version: index.version,
    has,
    ofPlain: (digest) => (has(digest) ? digest : index.plain[digest]),
    hasRoute,
    load,
    verify,
    locate,
    leftOut,
  }

  /** A process that serves a few routes looks for a few functions: cheaper than a map of them all. */
  function placeOf(digest: Digest): number {
    if (searches === MOST_SEARCHES) return (places ??= mapPlaces(index)).get(digest) ?? -1
    searches++
    return index.chunks.findIndex(({ digests }) => digests.includes(digest))
  }

  function has(digest: Digest): boolean {
    return placeOf(digest) !== -1
  }

  function hasRoute(digest: Digest): boolean {
    return (routes ??= new Set(index.routes.split(' '))).has(digest)
  }

  function load(digest: Digest): CompiledFunction {
    let compiled = functions.get(digest)
    if (compiled === undefined) {
      const place = placeOf(digest)
      const chunk = index.chunks[place]
      if (chunk === undefined) throw new RangeError(`No function with the digest ${digest}`)
      // All digests are of one length, and a space stands between them.
      const nth = chunk.digests.indexOf(digest) / (digest.length + 1)
      const make = loadChunk(chunk)[nth] as Maker
      functions.set(digest, (compiled = make()))
    }
    return compiled
  }

  function loadChunk(chunk: ArtifactChunk): readonly Maker[] {
    let makers = chunks.get(chunk)
    if (makers === undefined) {
      verifyChunk(chunk)
      const require = process.getBuiltinModule('node:module').createRequire(index.url)
      makers = (require(`./${chunk.file}`) as ChunkModule)(internals)
      chunks.set(chunk, makers)
    }
    return makers
  }

  function verify(): void {
    for (const chunk of index.chunks) verifyChunk(chunk)
  }

  function verifyChunk(chunk: ArtifactChunk): void {
    if (digestOf(read(chunk.file)) !== chunk.checksum) {
      throw new DamagedArtifactError(pathOf(chunk.file), 'is not what the build wrote')
    }
  }

  function locate(method: string, url: string): string | undefined {
    return routesOf(method, url)[0]?.at
  }

  function leftOut(method: string, url: string, parts: readonly string[]): string | undefined {
    const found = routesOf(method, url)
      .flatMap(({ dynamic }) => dynamic)
      .find(({ part }) => parts.includes(part))
    return found && `${found.at}: ${found.message}`
  }

  /** Several, when they differ by constraints or by a condition. */
  function routesOf(method: string, url: string): Manifest['routes'] {
    return readManifest().routes.filter((route) => route.method === method && route.url === url)
  }

  function readManifest(): Manifest {
    const text = String(read('manifest.json'))
    try {
      return JSON.parse(text) as Manifest
    } catch (error) {
      throw new DamagedArtifactError(pathOf('manifest.json'), (error as Error).message)
    }
  }

  function pathOf(file: string): string {
    folder ??= process.getBuiltinModule('node:url').fileURLToPath(new URL('.', index.url))
    return folder + file
  }

  function read(file: string): Uint8Array {
    try {
      return process.getBuiltinModule('node:fs').readFileSync(pathOf(file))
    } catch (error) {
      throw new DamagedArtifactError(pathOf(file), `cannot be read: ${(error as Error).message}`)
    }
  }
}

/** From about that many on, a map of all digests is cheaper than looking through them. */
const MOST_SEARCHES = 32

function mapPlaces({ chunks }: ArtifactIndex): Map<Digest, number> {
  const places = new Map<Digest, number>()
  chunks.forEach(({ digests }, i) => {
    for (const digest of digests.split(' ')) places.set(digest, i)
  })
  return places
}

/** What `worker.mjs` of an artifact says of itself: every function is in the same file. */
export interface EagerArtifact {
  readonly format: number
  readonly version: string
  /** The digests of `functions`, joined by spaces, in the same order. */
  readonly digests: string
  readonly functions: readonly Maker[]
  readonly routes: string
  readonly plain: Readonly<Record<Digest, Digest>>
}

/** Opens an artifact that stands in a single file, for platforms without a file system and for bundlers. */
export function openEagerArtifact(eager: EagerArtifact): Artifact {
  const makers = new Map(eager.digests.split(' ').map((digest, i) => [digest, eager.functions[i]]))
  const functions = new Map<Digest, CompiledFunction>()
  const routes = new Set(eager.routes.split(' '))
  return {
    format: eager.format,
    version: eager.version,
    has: (digest) => makers.has(digest),
    ofPlain: (digest) => (makers.has(digest) ? digest : eager.plain[digest]),
    hasRoute: (digest) => routes.has(digest),
    load(digest) {
      let compiled = functions.get(digest)
      if (compiled === undefined)
        functions.set(digest, (compiled = (makers.get(digest) as Maker)()))
      return compiled
    },
    verify: () => undefined,
    locate: () => undefined,
    leftOut: () => undefined,
  }
}
