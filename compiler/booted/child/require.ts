import { createRequire, Module } from 'node:module'
import { isServerName } from '../../util/server-name.ts'
import { mainPipe } from '../messages.ts'
import { javascriptOf } from './javascript.ts'
import { namedByPackage } from './module-hooks.ts'
import { sourceFileOf } from './sources.ts'
import type { Factory } from './server.ts'

/** The internals of Node's CommonJS loader that TypeScript loaders extend. */
interface Loader {
  _extensions: Record<
    string,
    (module: { _compile(code: string, file: string): void }, file: string) => void
  >
  _resolveFilename(this: void, specifier: string, parent?: Parent, ...rest: unknown[]): string
  _load(this: void, specifier: string, parent?: Parent, ...rest: unknown[]): unknown
}

interface Parent {
  readonly filename?: string | null
}

/**
 * Extends `require` to read TypeScript, resolve like the scan, and return factories that record.
 *
 * @param onNamed gets the files of the application that packages load by computed names
 */
export function extendRequire(
  record: (specifier: string, importer: string) => Factory,
  onNamed: (file: string) => void,
): void {
  const loader = Module as unknown as Loader
  const { _resolveFilename: resolveFilename, _load: load } = loader
  for (const extension of ['.ts', '.tsx', '.cts', '.mts']) {
    loader._extensions[extension] = (module, file) =>
      module._compile(javascriptOf(mainPipe, file, 'cjs'), file)
  }
  loader._resolveFilename = (specifier, parent, ...rest) => {
    const importer = parent?.filename
    // Path mappings of the server are for types.
    const isMapped = importer && !isServerName(specifier)
    const found = isMapped ? sourceFileOf(specifier, importer, ['node', 'require']) : undefined
    const resolved = found ?? resolveFilename(specifier, parent, ...rest)
    if (namedByPackage(specifier, importer ?? undefined) !== undefined) onNamed(resolved)
    return resolved
  }
  let isInside = false
  loader._load = (specifier, parent, ...rest) => {
    if (!isServerName(specifier) || isInside) return load(specifier, parent, ...rest)
    // Loading the original may come back here.
    isInside = true
    try {
      return record(specifier, parent?.filename ?? import.meta.url)
    } finally {
      isInside = false
    }
  }
}

/** Returns the factory that a file imports by that name, or else that of `framework`. */
export function factoryFor(specifier: string, importer: string): Factory {
  const require = createRequire(importer)
  try {
    return require(specifier) as Factory
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return createRequire(import.meta.url)('framework') as Factory
  }
}
