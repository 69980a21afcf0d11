/** Virtual modules: code that a deployment adds to the bundle without a file. */
import { isBuiltin } from 'node:module'

/** Prefix of their names. */
export const VIRTUAL = 'framework-deploy:'

/** The main module of every bundle. */
export const MAIN: string = `${VIRTUAL}main`

/** The module that exports the artifact. */
export const ARTIFACT: string = `${VIRTUAL}artifact`

/** The kinds of virtual modules that replace another module, with functions that return their code. */
const kinds = {
  /** A module of Node. */
  builtin: (name: string) => `export default ${loadBuiltin(`node:${name}`)}`,
  /** For a module of Node that the platform doesn't have, or one that a package's `browser` field excludes. */
  empty: () => 'module.exports = {}',
  /** Throws, for a `require` that can't be resolved. */
  missing(name: string) {
    const message = JSON.stringify(`Cannot find module '${name}'`)
    return `throw Object.assign(new Error(${message}), { code: 'MODULE_NOT_FOUND' })`
  },
  /** Exports a function which requires a file, for ES modules that use `createRequire`. */
  required: (file: string) => `module.exports = () => require(${JSON.stringify(file)})`,
}

type Kind = keyof typeof kinds

/** Returns the name of a replacement of a module. All but `builtin` are CommonJS modules. */
export function substitute(kind: Kind, name: string): string {
  return `${VIRTUAL}${kind}/${name}${kind === 'builtin' ? '' : '.cjs'}`
}

/** Returns the kind of a replacement, and the module that it replaces. */
export function substituted(id: string): readonly [kind: Kind, name: string] | undefined {
  const [, kind, name = ''] = substitutes.exec(id) ?? []
  return kind === undefined ? undefined : [kind as Kind, name]
}

const substitutes = new RegExp(`^${VIRTUAL}(${Object.keys(kinds).join('|')})/(.*?)(?:\\.cjs)?$`)

/** Returns the code of a replacement. */
export function substituteCode(id: string): string | undefined {
  const [kind, name] = substituted(id) ?? []
  return kind && kinds[kind](name ?? '')
}

/** Returns an expression for a module of Node. For one that this Node lacks, it throws as an import does if the running one lacks it too. */
function loadBuiltin(name: string): string {
  const load = `process.getBuiltinModule(${JSON.stringify(name)})`
  if (isBuiltin(name)) return load
  const message = JSON.stringify(`No such built-in module: ${name}`)
  return `${load} ?? (() => { throw Object.assign(new Error(${message}), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' }) })()`
}
