import { join } from 'node:path'
import type { Manifest } from '../compiler/5-bundle/manifest.ts'
import type { ResolvedOptions } from '../compiler/model/index.ts'

/** Modules that Node loads before an application. */
export interface Preloads {
  /** `framework/fastify` if this package serves and the application imports another `fastify`, or one that isn't installed. */
  readonly packages: readonly string[]
  /** Absolute path of the artifact's preload. */
  readonly file: string
  /** The package that creates applications. */
  readonly factory: 'framework' | 'framework/5' | 'fastify'
}

export function preloadsOf(
  { out, server }: Pick<ResolvedOptions, 'out' | 'server'>,
  { line }: Pick<Manifest, 'line'>,
): Preloads {
  const importsFastify =
    line === undefined && server?.importer !== undefined && server.line !== 'framework'
  const factory = factoryFor(server, line)
  const isOurs = factory !== 'fastify'
  return {
    packages: isOurs && (importsFastify || server?.isReplaced) ? ['framework/fastify'] : [],
    file: join(out, isOurs ? 'register.js' : 'fastify.mjs'),
    factory,
  }
}

function factoryFor(
  server: ResolvedOptions['server'],
  line: Manifest['line'],
): Preloads['factory'] {
  if (line === undefined) return 'framework'
  return server?.line === line && server.name === 'framework/5' ? 'framework/5' : 'fastify'
}
