import { createRequire } from 'node:module'
import path from 'node:path'
import { runtimeFolder } from '../runtime-folder.ts'

/** The environment of code on a platform: Node's modules, or libraries that replace them. */
export interface Environment {
  /** Folder of the runtime's build for the platform, in its package. */
  readonly runtime: string
  /** Returns the file that replaces a module of Node, given without `node:`. */
  replacementOf(module: string): string | undefined
  /** All other modules of Node can be loaded. */
  readonly hasNode: boolean
  /** Globals of Node that the platform lacks: the file and the export that replace them. */
  readonly globals: Readonly<Record<string, [file: string, name: string]>>
  /** The `browser` field of packages is used. */
  readonly takesBrowserField: boolean
  /** Returns declarations that a file of the bundle with that code needs. */
  intro(code: string, format: 'cjs' | 'es'): string
}

/**
 * A function of the bundle: `__deployedAt(path)` returns the absolute path of a file in the deployment, `__deployedAt.url(path)` its URL,
 * and `__deployedAt.require(path)` a function that requires from there.
 */
export const LOCATE = '__deployedAt'

/** Returns an expression for the URL of a file in the deployment. */
export function urlExpression(file: string): string {
  return `${LOCATE}.url(${JSON.stringify(file)})`
}

/**
 * @param folder an expression for the folder of the deployment. Default: that of the main file
 * @param runtime default: the build for Node itself
 */
export function onNode(folder?: string, runtime = '.'): Environment {
  return {
    runtime,
    replacementOf: () => undefined,
    hasNode: true,
    globals: {},
    takesBrowserField: false,
    intro(code, format) {
      const here = folder ?? (format === 'cjs' ? '__dirname' : 'import.meta.dirname')
      const locate = `const ${LOCATE}=file=>${builtin('path')}.join(${here},file);${LOCATE}.url=file=>${builtin('url')}.pathToFileURL(${LOCATE}(file)).href;`
      const createRequire = `${builtin('module')}.createRequire`
      const require = `const require=${createRequire}(${here}+"/");`
      return [
        /\bNODE_ENV\b/.test(code) ? 'process.env.NODE_ENV??="production";' : '',
        code.includes(LOCATE) ? locate : '',
        code.includes(`${LOCATE}.require(`)
          ? `${LOCATE}.require=file=>${createRequire}(${LOCATE}(file));`
          : '',
        format === 'es' && /\brequire\b/.test(code) ? require : '',
      ].join('')
    },
  }
}

function builtin(name: string): string {
  return `process.getBuiltinModule("node:${name}")`
}

/** Folder of the runtime's build for platforms without Node. */
const BUILD = 'web'

/** Libraries of the compiler that replace modules of Node. */
const libraries = new Map([
  ['assert', 'assert/'],
  ['buffer', 'buffer/index.js'],
  ['events', 'events/events.js'],
  ['path', 'path-browserify'],
  ['stream', 'readable-stream/lib/ours/browser.js'],
  ['string_decoder', 'string_decoder/'],
  ['util', 'util/'],
])

/** Modules of Node for which the runtime's build has a replacement of the same name. */
const runtimeModules = ['crypto', 'process', 'url']

/** Modules of Node that have a replacement on platforms without Node. */
export const replaced: ReadonlySet<string> = new Set([...libraries.keys(), ...runtimeModules])

/** A platform without Node, where libraries replace some of its modules. */
export const withoutNode: Environment = {
  runtime: BUILD,
  replacementOf(module) {
    const library = libraries.get(module)
    if (library !== undefined) return createRequire(import.meta.url).resolve(library)
    return runtimeModules.includes(module) ? fileOf(`${module}.js`) : undefined
  },
  hasNode: false,
  // Located on first use: the runtime may not be installed where other commands run.
  get globals() {
    const file = fileOf('globals.js')
    const names = ['Buffer', 'clearImmediate', 'global', 'process', 'setImmediate']
    return Object.fromEntries(names.map((name): [string, [string, string]] => [name, [file, name]]))
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
