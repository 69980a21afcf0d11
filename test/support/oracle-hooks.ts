/** Module hooks under which an application that imports `framework` gets the real Fastify instead. */
import type { ResolveHook } from 'node:module'

export const peers: Readonly<Record<string, string>> = {
  framework: 'fastify',
  'framework/plugin': 'fastify-plugin',
}

export const resolve: ResolveHook = (specifier, context, next) =>
  next(peers[specifier] ?? specifier, context)
