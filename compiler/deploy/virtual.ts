/** Virtual modules: code that a deployment adds to the bundle without a file. */
import { isBuiltin } from 'node:module'

/** Prefix of their names. */
export const VIRTUAL = 'framework-deploy:'

/** The main module of every bundle. */
export const MAIN: string = `${VIRTUAL}main`

/** A module of Node. */
export function builtinModule(name: string): string {
  return `${VIRTUAL}builtin/${name}`
}

/** An empty module, for a module of Node that the platform doesn't have. */
export function emptyModule(name: string): string {
  return `${VIRTUAL}empty/${name}.cjs`
}

/** A module that throws, for a `require` that can't be resolved. */
export function missingModule(name: string): string {
  return `${VIRTUAL}missing/${name}.cjs`
}

/** A module that exports a function which requires `file`, for ES modules that use `createRequire`. */
export function requiredModule(file: string): string {
  return `${VIRTUAL}required/${file}.cjs`
}

const onDemand = new RegExp(`^${VIRTUAL}(builtin|empty|missing|required)/(.*?)(?:\\.cjs)?$`)

/** Checks for the names that the functions above return. */
export function isMadeOnDemand(id: string): boolean {
  return onDemand.test(id)
}

/** Returns the code of these modules. */
export function codeOnDemand(id: string): string | undefined {
  const [, kind, name = ''] = onDemand.exec(id) ?? []
  switch (kind) {
    case 'builtin':
      return `export default ${loadBuiltin(`node:${name}`)}`
    case 'empty':
      return 'module.exports = {}'
    case 'missing': {
      const message = JSON.stringify(`Cannot find module '${name}'`)
      return `throw Object.assign(new Error(${message}), { code: 'MODULE_NOT_FOUND' })`
    }
    case 'required':
      return `module.exports = () => require(${JSON.stringify(name)})`
    default:
      return undefined
  }
}

/** Returns the module of Node that a virtual module replaces. */
export function builtinOf(id: string): string | undefined {
  const [, kind, name] = onDemand.exec(id) ?? []
  return kind === 'builtin' || kind === 'empty' ? name : undefined
}

/** Returns an expression for a module of Node, which throws as an import does if it's of a newer release than the running one. */
function loadBuiltin(name: string): string {
  const load = `process.getBuiltinModule(${JSON.stringify(name)})`
  if (isBuiltin(name)) return load
  const message = JSON.stringify(`No such built-in module: ${name}`)
  return `${load} ?? (() => { throw Object.assign(new Error(${message}), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' }) })()`
}
