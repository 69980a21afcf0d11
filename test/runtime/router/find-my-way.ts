/** Our router with the rest of find-my-way's interface, which applications can't reach. */
import assert from 'node:assert/strict'
import {
  httpMethods,
  isHttpMethod,
  Router,
  type Constraints,
  type RouteHandler,
  type RouteOptions,
  type RouterOptions,
} from '../../../runtime/router/index.ts'
import { equal } from '../../../runtime/generated/equal.ts'
import { assertPath, normalizePath, splitOptional } from '../../../runtime/router/path.ts'
import type { MakeRouter } from './transcript.ts'

class FindMyWay extends Router {
  all(path: string, opts: RouteOptions, handler: RouteHandler): void {
    this.on(httpMethods, path, opts, handler)
  }

  reset(): void {
    this.replaceRoutes([])
  }

  override on(...args: unknown[]): void {
    const [method, path, opts, ...more] = args
    if (typeof opts === 'function')
      super.on(method as string, path as string, {}, opts as RouteHandler, more[0])
    else super.on(...(args as Parameters<Router['on']>))
  }

  off(method: string | string[], path: string, constraints?: Constraints): void {
    assertPath(path)
    assert(
      constraints === undefined ||
        (typeof constraints === 'object' && !Array.isArray(constraints) && constraints !== null),
      'Constraints should be an object or undefined.',
    )
    const paths = splitOptional(path)
    paths.forEach(assertPath)
    const methods = [method].flat()
    for (const each of methods) {
      assert(typeof each === 'string', 'Method should be a string')
      assert(isHttpMethod(each), `Method '${each}' is not an http method.`)
    }
    const normalized = paths.map((each) => normalizePath(each, this))
    this.replaceRoutes(
      this.routes.filter(
        ({ method, path, opts }) =>
          !methods.includes(method) ||
          !normalized.includes(path) ||
          (constraints !== undefined && !equal(opts.constraints ?? {}, constraints)),
      ),
    )
  }
}

for (const method of httpMethods) {
  Object.defineProperty(FindMyWay.prototype, method.toLowerCase(), {
    value(this: FindMyWay, path: string, opts: RouteOptions, handler: RouteHandler) {
      this.on(method, path, opts, handler)
    },
  })
}

export const makeOurs = ((options: RouterOptions = {}) =>
  new FindMyWay(options)) as unknown as MakeRouter
