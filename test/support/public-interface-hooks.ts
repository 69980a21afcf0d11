/** Module hooks under which `framework` is a factory with the option `useNodeInternals: false`. */
import type { ResolveHook } from 'node:module'

const factory = new URL('public-interface-factory.js', import.meta.url).href

export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === 'framework' && context.parentURL !== factory
    ? next(factory, context)
    : next(specifier, context)
