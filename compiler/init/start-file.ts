/** Finds or creates the file that starts an application whose entry only exports it. */
import { join, posix } from 'node:path'
import { CompilerOptions } from '../1-scan/modules/compiler-options.ts'
import type { ApplicationStart } from '../model/index.ts'
import { importsIn } from '../server/imports.ts'
import { isFile } from '../util/paths.ts'
import { SourceFiles } from '../util/source-files.ts'
import type { Found } from './found.ts'

export interface StartFile {
  /** Path relative to the package. */
  readonly file: string
  readonly text: string
}

/** File names to try, beside the entry. */
const names = ['server', 'start']

/**
 * Creates a file that makes the application and listens.
 *
 * @param sources texts of the project's modules
 * @returns undefined if the entry doesn't need one, or if creating the application takes more than a call
 */
export function startFileFor(
  folder: string,
  entry: string,
  start: ApplicationStart | undefined,
  found: Pick<Found, 'fastify' | 'standsIn' | 'modules' | 'program' | 'runners'>,
  sources: readonly string[],
): StartFile | undefined {
  if (start === undefined || start.kind === 'itself' || start.kind === 'class') return undefined
  const [, stem = '', extension = ''] = /^(.*?)(\.[cm]?[jt]sx?)$/.exec(entry) ?? []
  const place = posix.dirname(entry.replaceAll('\\', '/'))
  const name = names.find(
    (one) => !siblings(extension).some((kind) => isFile(join(folder, place, `${one}${kind}`))),
  )
  const path = withoutDefault(start.path, found.modules === 'CommonJS' && !isTyped(extension))
  if (name === undefined || path.length > 1) return undefined
  const file = posix.join(place, `${name}${extension.replace('x', '')}`)
  const isByOwnName =
    sources.some(namesTypeScript) ||
    new CompilerOptions(new SourceFiles()).of(join(folder, entry)).allowImportingTsExtensions ===
      true
  const imported = isByOwnName ? extension : importedExtension(extension, found, entry)
  const from = `./${posix.basename(stem)}${imported}`
  const server =
    found.fastify === undefined && found.standsIn === undefined ? 'framework' : 'fastify'
  return { file, text: textOf(start.kind, path[0], from, server, extension, found.modules) }
}

/** Returns true if a module imports others with their TypeScript extension. */
function namesTypeScript(text: string): boolean {
  return importsIn(text).some(({ specifier }) => /^\..*\.[cm]?tsx?$/.test(specifier))
}

function isTyped(extension: string): boolean {
  return extension.includes('t')
}

/** A file with another extension would still be the same module. */
function siblings(extension: string): readonly string[] {
  return isTyped(extension)
    ? ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']
    : ['.js', '.mjs', '.cjs']
}

/** `require` already returns the default export. */
function withoutDefault(path: readonly string[], isRequired: boolean): readonly string[] {
  return isRequired && path[0] === 'default' ? path.slice(1) : path
}

/** The extension to import: that of the compiled output, or of the source if Node runs it directly. */
function importedExtension(
  extension: string,
  { program, runners }: Pick<Found, 'program' | 'runners'>,
  entry: string,
): string {
  const runsAsIs = program === entry && !runners.includes('tsx')
  return isTyped(extension) && !runsAsIs ? extension.replace(/tsx?$/, 'js') : extension
}

function textOf(
  kind: 'instance' | 'factory' | 'plugin',
  name: string | undefined,
  from: string,
  server: string,
  extension: string,
  modules: Found['modules'],
): string {
  const isCommonJs = modules === 'CommonJS'
  const isRequired = isCommonJs && !isTyped(extension)
  const isWhole = name === undefined || name === 'default'
  const isFree = !isWhole && (!own.has(name) || name === localNames[kind])
  const local = isFree ? name : localNames[kind]
  const load = (binding: string, specifier: string): string =>
    isRequired
      ? `const ${binding} = require('${specifier}')`
      : `import ${binding} from '${specifier}'`
  const renamed = isRequired ? `{ ${name}: ${local} }` : `{ ${name} as ${local} }`
  const loads = [
    ...(kind === 'plugin' ? [load('fastify', server)] : []),
    load(isWhole ? local : isFree ? `{ ${local} }` : renamed, from),
  ]
  const makes = {
    instance: [],
    factory: [`const app = await ${local}()`],
    plugin: ['const app = fastify()', `app.register(${local})`],
  }[kind]
  const body = [
    ...makes,
    `const address = await ${kind === 'instance' ? local : 'app'}.listen({`,
    '  port: Number(process.env.PORT ?? 3000),',
    "  host: process.env.HOST ?? '0.0.0.0',",
    '})',
    'console.log(`Listening at ${address}`)',
  ]
  const started = isCommonJs
    ? ['async function start() {', ...body.map((line) => `  ${line}`), '}', '', 'start()']
    : body
  return `${[...loads, '', ...started].join('\n')}\n`
}

/** Local names for exports that have no name of their own. */
const localNames = { instance: 'app', factory: 'build', plugin: 'routes' } as const

/** Names that the generated file uses itself. */
const own: ReadonlySet<string> = new Set(['app', 'address', 'fastify', 'start'])
