/** Module hooks under which an application that imports `framework` gets the real Fastify of its line instead. */
import type { ResolveHook } from 'node:module'

export const peers: Readonly<Record<string, string>> = {
  framework: 'fastify',
  'framework/5': 'fastify-5',
  'framework/plugin': 'fastify-plugin',
}

export const resolve: ResolveHook = (specifier, context, next) =>
  next(peers[specifier] ?? specifier, context)
