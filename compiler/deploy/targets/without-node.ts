import { createRequire } from 'node:module'
import path from 'node:path'
import { runtimeFolder } from '../runtime-folder.ts'
import type { Environment } from './environment.ts'
import { LOCATE } from './environment.ts'

/** Folder of the runtime's build for platforms without Node. */
const BUILD = 'web'

/** Libraries of the compiler that replace modules of Node. */
const libraries = {
  assert: 'assert/',
  buffer: 'buffer/index.js',
  events: 'events/events.js',
  path: 'path-browserify',
  stream: 'readable-stream/lib/ours/browser.js',
  string_decoder: 'string_decoder/',
  util: 'util/',
}

/** Modules of Node for which the runtime's build has a replacement of the same name. */
const runtimeModules = ['crypto', 'process', 'url']

/** Globals of Node that the runtime's build exports under the same names. */
const globals = ['Buffer', 'clearImmediate', 'global', 'process', 'setImmediate']

let modules: ReadonlyMap<string, string> | undefined

/** A platform without Node, where libraries replace some of its modules. */
export const withoutNode: Environment = {
  runtime: BUILD,
  // Found on first use, because other targets don't need them.
  get modules() {
    return (modules ??= findModules())
  },
  hasNode: false,
  get globals() {
    const file = fileOf('globals.js')
    return Object.fromEntries(
      globals.map((name): [string, [string, string]] => [name, [file, name]]),
    )
  },
  takesBrowserField: true,
  intro: (code) =>
    code.includes(LOCATE)
      ? `const ${LOCATE}=file=>decodeURIComponent(new URL(${LOCATE}.url(file)).pathname);${LOCATE}.url=file=>new URL("./"+encodeURI(file).replace(/[?#]/g,encodeURIComponent),import.meta.url).href;`
      : '',
}

function fileOf(name: string): string {
  return path.join(runtimeFolder(), BUILD, name)
}

function findModules(): ReadonlyMap<string, string> {
  const { resolve } = createRequire(import.meta.url)
  return new Map([
    ...Object.entries(libraries).map(([name, id]) => [name, resolve(id)] as const),
    ...runtimeModules.map((name) => [name, fileOf(`${name}.js`)] as const),
  ])
}
