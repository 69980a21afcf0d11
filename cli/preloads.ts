import { join } from 'node:path'
import type { Manifest } from '../compiler/5-bundle/manifest.ts'
import { importsOtherFastify } from '../compiler/lines/detect.ts'
import type { ResolvedOptions } from '../compiler/model/index.ts'

/** What Node loads before an application. */
export interface Preloads {
  /** What makes `fastify` mean this package, where the entry imports it and it is another. */
  readonly packages: readonly string[]
  /** The file of the artifact. Absolute. */
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
