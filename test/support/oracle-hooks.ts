/** Module hooks that resolve `framework` and its entries to other modules. */
import type { ResolveHook } from 'node:module'

/** Replacements of modules, for the real Fastify of each line. */
export const peers: Readonly<Record<string, string>> = {
  framework: 'fastify',
  'framework/5': 'fastify-5',
  'framework/plugin': 'fastify-plugin',
}

let replacements: Readonly<Record<string, string>> = peers

export function initialize(data: Readonly<Record<string, string>> = peers): void {
  replacements = data
}

/** Replaces a module, except for the replacement itself, which may import it. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const replacement = replacements[specifier]
  const isKept = replacement === undefined || replacement === context.parentURL
  return next(isKept ? specifier : replacement, context)
}
