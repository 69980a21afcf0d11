/** Plans the file that starts an application whose entry only exports it. */
import { join, posix } from 'node:path'
import { CompilerOptions } from '../../compiler/util/modules/compiler-options.ts'
import type { ApplicationStart } from '../../compiler/model/index.ts'
import { isFile } from '../../compiler/util/paths.ts'
import { SourceFiles } from '../../compiler/util/source-files.ts'
import type { FileChange } from './changes.ts'
import type { ProjectInfo } from './project-info.ts'

/** File names to try, beside the entry. */
const names = ['server', 'start']
const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']

/**
 * Creates a file that makes the application and listens.
 *
 * @returns undefined if the entry doesn't need one, if its export is a class or is nested, or if all names are taken
 */
export function startFileFor(
  folder: string,
  entry: string,
  start: ApplicationStart | undefined,
  found: Pick<
    ProjectInfo,
    'fastify' | 'alias' | 'modules' | 'program' | 'runners' | 'importsTypeScript'
  >,
): FileChange | undefined {
  if (start === undefined || start.kind === 'itself' || start.kind === 'class') return undefined
  const [, stem = '', extension = ''] = /^(.*?)(\.[cm]?[jt]sx?)$/.exec(entry) ?? []
  const place = posix.dirname(entry.replaceAll('\\', '/'))
  const isTyped = extension.includes('t')
  // Tools may resolve `./server` to a file with any of these extensions.
  const name = names.find(
    (one) => !extensions.some((kind) => isFile(join(folder, place, `${one}${kind}`))),
  )
  // `require` already returns the default export.
  const isRequired = found.modules === 'CommonJS' && !isTyped
  const path = isRequired && start.path[0] === 'default' ? start.path.slice(1) : start.path
  if (name === undefined || path.length > 1) return undefined
  const file = posix.join(place, `${name}${extension.replace('x', '')}`)
  // Node imports TypeScript files only with their `.ts` extension.
  const runsAsIs = found.program === entry && !found.runners.includes('tsx')
  const keepsExtension =
    runsAsIs ||
    found.importsTypeScript ||
    new CompilerOptions(new SourceFiles()).of(join(folder, entry)).allowImportingTsExtensions ===
      true
  const imported = keepsExtension ? extension : extension.replace(/tsx?$/, 'js')
  const from = `./${posix.basename(stem)}${imported}`
  const server = found.fastify === undefined && found.alias === undefined ? 'framework' : 'fastify'
  const after = textOf(start.kind, path[0], from, server, found.modules, isRequired)
  const changes = [`starts the application of ${entry}, which only exports it`]
  return { file, before: undefined, after, changes }
}

function textOf(
  kind: 'instance' | 'factory' | 'plugin',
  name: string | undefined,
  from: string,
  server: string,
  modules: ProjectInfo['modules'],
  isRequired: boolean,
): string {
  const isDefault = name === undefined || name === 'default'
  const local = isDefault || usedNames.has(name) ? localNames[kind] : name
  const load = (binding: string, specifier: string): string =>
    isRequired
      ? `const ${binding} = require('${specifier}')`
      : `import ${binding} from '${specifier}'`
  const renamed = isRequired ? `{ ${name}: ${local} }` : `{ ${name} as ${local} }`
  const named = local === name ? `{ ${name} }` : renamed
  const loads = [
    ...(kind === 'plugin' ? [load('fastify', server)] : []),
    load(isDefault ? local : named, from),
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
  const started =
    modules === 'CommonJS'
      ? ['async function start() {', ...body.map((line) => `  ${line}`), '}', '', 'start()']
      : body
  return `${[...loads, '', ...started].join('\n')}\n`
}

/** Local names for default exports, and for exports with a name that the file uses itself. */
const localNames = { instance: 'app', factory: 'build', plugin: 'routes' } as const

/** Names that the generated file uses itself. */
const usedNames: ReadonlySet<string> = new Set(['app', 'address', 'fastify', 'start'])
