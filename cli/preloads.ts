import { join } from 'node:path'
import type { ResolvedOptions } from '../compiler/model/index.ts'

/** Modules that Node loads before an application. */
export interface Preloads {
  /** `framework/fastify` if this package serves and the application imports another `fastify`, or one that isn't installed. */
  readonly packages: readonly string[]
  /** Absolute path of the artifact's preload. */
  readonly file: string
}

export function preloadsOf({
  out,
  server,
  line,
  factory,
}: Pick<ResolvedOptions, 'out' | 'server' | 'line' | 'factory'>): Preloads {
  if (factory === 'fastify') return { packages: [], file: join(out, 'fastify.mjs') }
  const importsFastify =
    line === 'framework' && server?.importer !== undefined && server.line !== 'framework'
  return {
    packages: importsFastify || server?.isReplaced ? ['framework/fastify'] : [],
    file: join(out, 'register.js'),
  }
}
