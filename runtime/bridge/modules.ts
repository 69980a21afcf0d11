/** Stands in for the two packages that compile for Fastify, so that neither is loaded before it is needed. */

/** What Fastify requires, each a factory of what `compilersFactory` takes. */
export const COMPILERS = {
  validator: '@fastify/ajv-compiler',
  serializer: '@fastify/fast-json-stringify-compiler',
} as const

export type Kind = keyof typeof COMPILERS

/** A package of Fastify that asks for one of them. */
export interface Asking {
  readonly kind: Kind
  /** Of Fastify. */
  readonly version: string
  /** The file that asks. */
  readonly file: string
  /** What it would get. */
  load(): unknown
}

type Load = (this: unknown, request: string, parent?: Parent | null, ...rest: unknown[]) => unknown

interface Parent {
  readonly filename?: string | null
}

interface Loader {
  _load: Load
}

const ASKING_FILE = /[\\/]lib[\\/]schema-controller\.js$/

/**
 * Calls `give` when a Fastify is loaded and asks for its compilers. Fastify is CommonJS, so this is one way for all who
 * import it or require it.
 *
 * @param give `undefined` for what Fastify would get
 */
export function standIn(give: (asking: Asking) => unknown): void {
  const loader = process.getBuiltinModule('node:module') as unknown as Loader
  const load = loader._load
  const kinds = new Map<string, Kind>([
    [COMPILERS.validator, 'validator'],
    [COMPILERS.serializer, 'serializer'],
  ])
  loader._load = function (request, parent, ...rest) {
    const kind = kinds.get(request)
    const file = parent?.filename
    if (kind === undefined || !file || !ASKING_FILE.test(file)) {
      return load.call(this, request, parent, ...rest)
    }
    const original = (): unknown => load.call(this, request, parent, ...rest)
    const version = versionOfFastify(file)
    const given = version && give({ kind, version, file, load: original })
    return given ?? original()
  }
}

/** `undefined` for a file of another package. */
function versionOfFastify(file: string): string | undefined {
  const { createRequire } = process.getBuiltinModule('node:module')
  const { name, version } = createRequire(file)('../package.json') as {
    readonly name: string
    readonly version: string
  }
  return name === 'fastify' ? version : undefined
}
