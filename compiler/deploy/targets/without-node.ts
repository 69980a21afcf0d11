import { createRequire } from 'node:module'
import path from 'node:path'
import { runtimeFolder } from '../runtime-folder.ts'
import type { Environment } from './environment.ts'
import { PLACE } from './environment.ts'

/** The build of the runtime for it, in the runtime's package. */
const BUILD = 'web'

/** Libraries that are installed with the compiler, by the modules of Node that they stand for. */
const libraries: Readonly<Record<string, string>> = {
  assert: 'assert/',
  buffer: 'buffer/index.js',
  events: 'events/events.js',
  path: 'path-browserify',
  stream: 'readable-stream/lib/ours/browser.js',
  string_decoder: 'string_decoder/',
  util: 'util/',
}

/** What the runtime's build brings along for modules of Node, called like them. */
const own = ['crypto', 'process', 'url']

/** What is global on Node, by the names under which the runtime's build exports it. */
const globals = ['Buffer', 'clearImmediate', 'global', 'process', 'setImmediate']

let modules: ReadonlyMap<string, string> | undefined

/** A place where nothing is Node's: libraries stand for some of its modules. */
export const withoutNode: Environment = {
  runtime: BUILD,
  // Looked up when something is deployed there.
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
  head({ code, up }) {
    if (!code.includes(PLACE)) return ''
    const folder = JSON.stringify(up === '' ? './' : `${up}/`)
    return `const ${PLACE}=place=>decodeURIComponent(new URL(${PLACE}.url(place)).pathname);${PLACE}.url=place=>new URL(${folder}+encodeURI(place).replace(/[?#]/g,encodeURIComponent),import.meta.url).href;`
  },
}

function fileOf(name: string): string {
  return path.join(runtimeFolder(), BUILD, name)
}

function findModules(): ReadonlyMap<string, string> {
  const { resolve } = createRequire(import.meta.url)
  return new Map([
    ...Object.entries(libraries).map(([name, id]) => [name, resolve(id)] as const),
    ...own.map((name) => [name, fileOf(`${name}.js`)] as const),
  ])
}
