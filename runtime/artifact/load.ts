/** Opens an artifact on Node: functions are in chunk files that are loaded when first needed. */
import type { ArtifactFile } from './files.ts'
import { DamagedArtifactError, openFolder } from './files.ts'
import type { Artifact, Libraries, Origin, RecordedRoute } from './index.ts'
import type { FastifyLine } from './lines.ts'
import { createMakers, loadChunk } from './functions/chunks.ts'
import { functionsOf, type Catalogue } from './functions/index.ts'
import { olderThanSource, whyMissing } from './missing/index.ts'
import { firstChange } from './replay/first-change.ts'

/** Contents of an artifact's `index.mjs`. */
export interface ArtifactIndex {
  readonly format: number
  readonly version: string
  /** The Fastify line that the functions are for; undefined for this package's runtime. */
  readonly line?: FastifyLine
  /** `import.meta.url` of the index. */
  readonly url: string
  /** True in a deployment, which contains no manifest. */
  readonly isDeployed?: boolean
  readonly libraries?: Libraries
  /** A `Catalogue`, as JSON. */
  readonly catalogue: ArtifactFile
  readonly chunks: readonly ArtifactFile[]
}

interface Manifest extends Pick<Origin, 'entry' | 'options' | 'settings' | 'sources'> {
  readonly start: { readonly kind: string }
  readonly contexts: readonly {
    readonly shared: Readonly<Record<string, { readonly schema: string; readonly at: string }>>
  }[]
  /** Schemas by the names in `shared` and in routes. */
  readonly schemas: Readonly<Record<string, unknown>>
  readonly routes: readonly {
    readonly method: string
    readonly url: string
    readonly at: string
    readonly schema?: Readonly<Record<'parts' | 'responses', Readonly<Record<string, string>>>>
    readonly dynamic: readonly {
      readonly part: string
      readonly message: string
      readonly at: string
    }[]
  }[]
}

/**
 * Opens the artifact of an index without reading other files.
 *
 * @param internals what generated code may call
 */
export function openChunks(
  index: ArtifactIndex,
  internals: Readonly<Record<string, unknown>>,
): Artifact {
  const folder = openFolder(index.url, index.isDeployed)
  const makerAt = createMakers(
    () => readCatalogue().counts,
    (nth) => loadChunk(index.url, folder, index.chunks[nth] as ArtifactFile, internals),
  )
  let catalogue: Catalogue | undefined
  return {
    format: index.format,
    version: index.version,
    line: index.line ?? 'framework',
    libraries: index.libraries,
    ...functionsOf(readCatalogue, makerAt, firstChange),
    open: () => void readCatalogue(),
    verify,
    locate,
    leftOut,
    origin,
    whyMissing(units, target) {
      const known = origin()
      return known && whyMissing(known, units, target)
    },
    outdated() {
      const known = origin()
      return known && olderThanSource(known)
    },
  }

  function readCatalogue(): Catalogue {
    return (catalogue ??= folder.readJson(index.catalogue) as Catalogue)
  }

  function verify(): void {
    folder.check(index.chunks)
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

  function origin(): Origin | undefined {
    const manifest = readManifest()
    if (manifest === undefined) return undefined
    const startsItself = manifest.start.kind === 'itself'
    return {
      ...manifest,
      folder: folder.pathOf(''),
      startsItself,
      routesOf: (method, url) =>
        routesOf(method, url).map(({ at, schema }) => ({ at, schemas: schemasOf(schema) })),
      shared: (id) =>
        manifest.contexts.flatMap(({ shared }) => {
          const one = Object.hasOwn(shared, id) ? shared[id] : undefined
          return one ? [{ schema: manifest.schemas[one.schema], at: one.at }] : []
        }),
    }

    function schemasOf(schema: Manifest['routes'][number]['schema']): RecordedRoute['schemas'] {
      const { parts = {}, responses = {} } = schema ?? {}
      return (httpPart, httpStatus) => {
        const status = Object.keys(responses).find((key) => key.toLowerCase() === httpStatus)
        const query = httpPart === 'querystring' ? parts.query : undefined
        return manifest?.schemas[parts[httpPart] ?? query ?? responses[status ?? ''] ?? '']
      }
    }
  }

  /** Returns the routes, several if they differ in constraints or are declared under a condition. */
  function routesOf(method: string, url: string | undefined): Manifest['routes'] {
    const { routes = [] } = readManifest() ?? {}
    return routes.filter((route) => route.method === method && route.url === url)
  }

  /** Returns undefined in a deployment, which has no manifest. */
  function readManifest(): Manifest | undefined {
    if (index.isDeployed) return undefined
    const text = String(folder.read('manifest.json'))
    try {
      return JSON.parse(text) as Manifest
    } catch (error) {
      throw new DamagedArtifactError(folder.pathOf('manifest.json'), (error as Error).message)
    }
  }
}
