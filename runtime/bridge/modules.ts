/** Replaces the two compiler packages of Fastify, so that neither is loaded before it is needed. */

/** The packages that Fastify requires, by kind of compiler. */
export const COMPILERS = {
  validator: '@fastify/ajv-compiler',
  serializer: '@fastify/fast-json-stringify-compiler',
} as const

export type Kind = keyof typeof COMPILERS

/** The call of `require` for one of them in a Fastify package. */
export interface RequireCall {
  readonly kind: Kind
  /** Fastify's version. */
  readonly version: string
  /** The requiring file. */
  readonly file: string
  /** Loads the original. */
  load(): unknown
}

type Load = (this: unknown, request: string, parent?: Parent | null, ...rest: unknown[]) => unknown

interface Parent {
  readonly filename?: string | null
}

/** `Module`, whose undocumented `_load` every `require` of CommonJS goes through in Node. */
interface Loader {
  _load: Load
}

const REQUIRING_FILE = /[\\/]lib[\\/]schema-controller\.js$/

/**
 * Calls `replace` when Fastify requires its compilers. Fastify is CommonJS, so this works for applications that
 * import or require it.
 *
 * @param replace returns the replacement, or undefined to keep the original
 */
export function replaceCompilers(replace: (call: RequireCall) => unknown): void {
  const loader = process.getBuiltinModule('node:module') as unknown as Loader
  const load = loader._load
  const kinds = new Map<string, Kind>([
    [COMPILERS.validator, 'validator'],
    [COMPILERS.serializer, 'serializer'],
  ])
  loader._load = function (request, parent, ...rest) {
    const kind = kinds.get(request)
    const file = parent?.filename
    if (kind === undefined || !file || !REQUIRING_FILE.test(file)) {
      return load.call(this, request, parent, ...rest)
    }
    const original = (): unknown => load.call(this, request, parent, ...rest)
    const version = versionOfFastify(file)
    const replacement = version && replace({ kind, version, file, load: original })
    return replacement ?? original()
  }
}

/** Returns undefined for a file of another package. */
function versionOfFastify(file: string): string | undefined {
  const { createRequire } = process.getBuiltinModule('node:module')
  const { name, version } = createRequire(file)('../package.json') as {
    readonly name: string
    readonly version: string
  }
  return name === 'fastify' ? version : undefined
}
