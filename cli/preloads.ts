import { join } from 'node:path'
import type { Manifest } from '../compiler/5-bundle/manifest.ts'
import { importsOtherFastify } from '../compiler/target-profiles/detect.ts'
import type { ResolvedOptions } from '../compiler/model/index.ts'

/** Modules that Node loads before an application. */
export interface Preloads {
  /** `framework/fastify` if the entry imports another `fastify` than this package. */
  readonly packages: readonly string[]
  /** Absolute path of the artifact's preload. */
  readonly file: string
}

export function preloadsOf(
  { entry, out }: Pick<ResolvedOptions, 'entry' | 'out'>,
  { line }: Pick<Manifest, 'line'>,
): Preloads {
  const isOurs = line === undefined
  return {
    packages: isOurs && importsOtherFastify(entry) ? ['framework/fastify'] : [],
    file: join(out, isOurs ? 'register.js' : 'fastify.mjs'),
  }
}
