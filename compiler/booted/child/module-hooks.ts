/** Module hooks for the ES modules of a recorded application. They resolve as the scan does, and read TypeScript. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isTypeScript, moduleKindOf, type ModuleKind } from '../../util/module-kind.ts'
import { isServerName } from '../../util/server-name.ts'
import { isApplication, isOwn } from './places.ts'
import { sourceFileOf } from './sources.ts'

interface Resolved {
  readonly url: string
  readonly shortCircuit: true
}

interface Loaded extends Pick<Resolved, 'shortCircuit'> {
  readonly format: 'commonjs' | 'json' | 'module'
  readonly source: string | undefined
}

/** A file of the application. `isNamed`: a package loads it by a name that it computes. */
export interface LoadedFile {
  readonly file: string
  readonly isNamed: boolean
}

/** Returns `undefined` to leave an import to Node. */
export function resolveImport(
  specifier: string,
  importer: string | undefined,
  conditions: readonly string[],
): Resolved | undefined {
  if (isServerName(specifier)) return toUrl(recordedModule(specifier, importer))
  if (!importer?.startsWith('file:')) return undefined
  const file = sourceFileOf(specifier, fileURLToPath(importer), conditions)
  const query = /[?#].*$/.exec(specifier)?.[0] ?? ''
  return file === undefined ? undefined : toUrl(pathToFileURL(file).href + query)
}

/** Returns the file of the application that a package imports or requires by its path: it has computed the name. */
export function namedByPackage(
  specifier: string,
  importer: string | undefined,
): string | undefined {
  const isUrl = specifier.startsWith('file:')
  if (importer === undefined || !(isUrl || path.isAbsolute(specifier))) return undefined
  const from = importer.startsWith('file:') ? fileURLToPath(importer) : importer
  // The recorder imports the entry.
  if (!/[\\/]node_modules[\\/]/.test(from) || isOwn(from)) return undefined
  const file = isUrl ? fileURLToPath(specifier) : specifier
  return isApplication(file) ? file : undefined
}

function toUrl(url: string): Resolved {
  return { url, shortCircuit: true }
}

/** Returns the URL of a module that replaces the package: its factory records declarations. */
function recordedModule(specifier: string, importer: string | undefined): string {
  const source = `const server = globalThis[Symbol.for('framework.record')](${JSON.stringify(specifier)}, ${JSON.stringify(importer)})
export default server
export const { errorCodes } = server
export { server as fastify, server as framework }
`
  return `data:text/javascript,${encodeURIComponent(source)}`
}

/** Returns `undefined` to leave a module to Node. */
export function loadModule(
  url: string,
  transpile: (file: string, kind: ModuleKind) => string | undefined,
  onFile: (file: string) => void,
): Loaded | undefined {
  if (!url.startsWith('file:')) return undefined
  const file = fileURLToPath(url)
  if (isApplication(file)) onFile(file)
  // TypeScript and bundlers accept JSON imports without an attribute.
  if (file.endsWith('.json') && isApplication(file))
    return { format: 'json', source: readFileSync(file, 'utf8'), shortCircuit: true }
  if (!isTypeScript(file)) return undefined
  const format = moduleKindOf(file)
  return { format, source: transpile(file, format), shortCircuit: true }
}
