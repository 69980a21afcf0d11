/** Module hooks under which an application that imports `framework` gets something else instead. */
import type { ResolveHook } from 'node:module'

/** Replacements of modules, for the real Fastify of each line. */
export const peers: Readonly<Record<string, string>> = {
  framework: 'fastify',
  'framework/5': 'fastify-5',
  'framework/plugin': 'fastify-plugin',
}

let others: Readonly<Record<string, string>> = peers

export function initialize(given: Readonly<Record<string, string>> = peers): void {
  others = given
}

/** A replacement of a module may import it. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const other = others[specifier]
  return next(other === undefined || other === context.parentURL ? specifier : other, context)
}
