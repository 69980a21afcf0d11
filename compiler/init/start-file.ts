/** What starts an application whose entry only exports it: a file that is there, or one that is to be written. */
import { join, posix } from 'node:path'
import { CompilerOptions } from '../1-scan/modules/compiler-options.ts'
import type { ApplicationStart } from '../model/index.ts'
import { isFile } from '../util/paths.ts'
import { SourceFiles } from '../util/source-files.ts'
import type { Found } from './found.ts'
import { importsIn } from './sources.ts'

export interface StartFile {
  /** Relative to the package. */
  readonly file: string
  readonly text: string
}

/** Names for it, beside the entry. */
const names = ['server', 'start']

/**
 * A file that makes the application and lets it listen.
 *
 * @param sources the texts of the project's modules
 * @returns `undefined` where the entry needs none, or where it takes more to come to the application than a call
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
    new CompilerOptions(new SourceFiles()).importsTypeScript(join(folder, entry))
  const imported = isByOwnName ? extension : importedExtension(extension, found, entry)
  const from = `./${posix.basename(stem)}${imported}`
  const server =
    found.fastify === undefined && found.standsIn === undefined ? 'framework' : 'fastify'
  return { file, text: textOf(start.kind, path[0], from, server, extension, found.modules) }
}

/** Whether a module names others by their source, which Node, a runner or the compiler understands then. */
function namesTypeScript(text: string): boolean {
  return importsIn(text).some((one) => /\.[cm]?tsx?$/.test(one))
}

function isTyped(extension: string): boolean {
  return extension.includes('t')
}

/** A file of any kind would stand for the same module. */
function siblings(extension: string): readonly string[] {
  return isTyped(extension)
    ? ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']
    : ['.js', '.mjs', '.cjs']
}

/** What `require` gives is what a module exports by default. */
function withoutDefault(path: readonly string[], isRequired: boolean): readonly string[] {
  return isRequired && path[0] === 'default' ? path.slice(1) : path
}

/** As a module is named where it runs: what is compiled by its output, what Node runs as it is by its own name. */
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

/** What an export is called where it is imported, if it has no name of its own. */
const localNames = { instance: 'app', factory: 'build', plugin: 'routes' } as const

/** Names that the file has for something else. */
const own: ReadonlySet<string> = new Set(['app', 'address', 'fastify', 'start'])
