/**
 * Lets Fastify 4.21 declare a HEAD route for each GET route that has none of the same path, as later releases do. It declares none if a
 * parametric HEAD route matches the path, so that HEAD runs the handler of another route.
 */
import { createRequire } from 'node:module'

interface Router {
  lookup(...args: unknown[]): unknown
  find(method: string, ...rest: unknown[]): unknown
  findRoute(method: string, ...rest: unknown[]): unknown
}

const requireHere = createRequire(import.meta.url)
const requireOfFastify = createRequire(requireHere.resolve('fastify'))
const { prototype } = requireOfFastify('find-my-way') as { prototype: Router }
const { lookup, find } = prototype
let isRequest = false

prototype.lookup = function (...args) {
  isRequest = true
  try {
    return lookup.apply(this, args)
  } finally {
    isRequest = false
  }
}

prototype.find = function (method, ...rest) {
  return method === 'HEAD' && !isRequest
    ? this.findRoute(method, ...rest)
    : find.call(this, method, ...rest)
}
