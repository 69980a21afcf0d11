/** Checks and normalizes the arguments of `router.on`. */
import { assert } from './assert.ts'
import { isHttpMethod } from './methods.ts'
import { parsePath } from './path.ts'
import type { PathOptions } from './param-slot.ts'
import type { Route } from './route-table.ts'
import type { RouteHandler, RouteOptions } from './types.ts'
import { removeDuplicateSlashes, trimLastSlash } from './url.ts'

/** One method or several. */
export type Methods = string | readonly string[]

/** Router options for slashes. */
export interface SlashOptions {
  readonly ignoreTrailingSlash: boolean
  readonly ignoreDuplicateSlashes: boolean
}

/** An optional parameter: `/:name?` or `/:name?/`. */
const optionalParam = /(\/:[^/()]*?)\?(\/?)/

/** Creates a route. Throws if its path is invalid. */
export function createRoute<Req, Res, Store>(
  method: string,
  path: string,
  opts: RouteOptions,
  handler: RouteHandler<Req, Res, Store>,
  store: Store | undefined,
  options: PathOptions,
): Route<Req, Res, Store> {
  return { method, path, opts, handler, store, previous: null, ...parsePath(path, options) }
}

/** Removes the slashes that the options ignore. */
export function normalizePath(path: string, options: SlashOptions): string {
  const single = options.ignoreDuplicateSlashes ? removeDuplicateSlashes(path) : path
  return options.ignoreTrailingSlash ? trimLastSlash(single) : single
}

/** Throws if the constraints aren't an object. */
export function assertConstraints(constraints: unknown): void {
  assert(typeof constraints === 'object' && constraints !== null, 'Constraints should be an object')
}

/** Throws if the path is invalid. */
export function assertPath(path: unknown): void {
  assert(typeof path === 'string', 'Path should be a string')
  if (path[0] === '/' || path[0] === '*') return
  assert(path.length > 0, 'The path could not be empty')
  assert(false, 'The first character of a path should be `/` or `*`')
}

/** Throws if routes can't be registered for the method. */
export function assertMethod(method: unknown): void {
  assert(typeof method === 'string', 'Method should be a string')
  assert(isHttpMethod(method), `Method '${method}' is not an http method.`)
}

export function toMethods(method: Methods): readonly string[] {
  return Array.isArray(method) ? (method as readonly string[]) : [method as string]
}

/** Returns the path with its optional parameter and the path without it, or only the path if it has none. */
export function splitOptional(path: string): [string] | [string, string] {
  const found = optionalParam.exec(path)
  if (found === null) {
    return [path]
  }
  const [all, param = '', slash = ''] = found
  assert(
    path.length === found.index + all.length,
    'Optional Parameter needs to be the last parameter of the path',
  )
  const start = path.slice(0, found.index)
  return [start + param + slash, start + slash || '/']
}
