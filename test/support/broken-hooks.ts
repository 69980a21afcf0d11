/** Module hooks under which `framework` is a Fastify that was broken on purpose. */
import type { ResolveHook } from 'node:module'
import { resolve as resolveOracle } from './oracle-hooks.ts'

const brokenFastify = new URL('broken-fastify.js', import.meta.url).href

export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === 'framework' ? next(brokenFastify, context) : resolveOracle(specifier, context, next)
