import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { ArtifactIndex } from '../../runtime/artifact/load.ts'
import { ARTIFACT_FORMAT, VERSION } from '../../runtime/artifact/version.ts'
import type { EmittedUnit, Output, ResolvedOptions } from '../model.ts'
import { packageRootOf } from '../options.ts'
import type { Chunk } from './chunks.ts'
import { createChunks } from './chunks.ts'
import type { Manifest } from './manifest.ts'
import { bundleChunks, bundleWhole } from './rollup.ts'

/** Joins the functions to the files of an artifact, in memory. */
export async function bundle(
  emitted: readonly EmittedUnit[],
  manifest: Manifest,
  options: ResolvedOptions,
): Promise<Output> {
  const chunks = await createChunks(emitted)
  const { entries, shared } = await bundleChunks(chunks)
  const index: Omit<ArtifactIndex, 'url'> = {
    format: ARTIFACT_FORMAT,
    version: VERSION,
    chunks: entries.map(({ file, code }, i) => ({
      file,
      checksum: digestOf(code),
      digests: (chunks[i] as Chunk).digests.join(' '),
    })),
  }
  const parts = [...entries, ...shared].map(({ file, code }) => [file, code] as const)
  return {
    parts: new Map(parts),
    heads: new Map([
      ['manifest.json', `${JSON.stringify(manifest, null, 2)}\n`],
      ['worker.mjs', await bundleWhole(chunks, workerSource(chunks))],
      ['index.mjs', indexSource(index)],
      ['register.js', registerSource(index, isModuleFolder(options.out))],
    ]),
    bytes: parts.reduce((sum, [, code]) => sum + Buffer.byteLength(code), 0),
  }
}

const NOTE =
  '// Written by `framework build`. Do not edit: the runtime refuses what it did not write.\n'

function indexSource(index: Omit<ArtifactIndex, 'url'>): string {
  return `${NOTE}import { openArtifact } from 'framework/internal'

export default openArtifact({ ...${JSON.stringify(index)}, url: import.meta.url })
`
}

/** In the module system that Node takes a `.js` file of that folder for. */
function registerSource(index: Omit<ArtifactIndex, 'url'>, isModule: boolean): string {
  const use = (url: string): string =>
    `registerArtifact(openArtifact({ ...${JSON.stringify(index)}, url: ${url} }))\n`
  return isModule
    ? `${NOTE}import { openArtifact, registerArtifact } from 'framework/internal'\n\n${use('import.meta.url')}`
    : `${NOTE}const { openArtifact, registerArtifact } = require('framework/internal')\n\n${use("require('node:url').pathToFileURL(__filename).href")}`
}

function workerSource(chunks: readonly Chunk[]): string {
  const imports = chunks.map((_, i) => `import { functions as f${i} } from 'chunk${i}'\n`)
  const eager = { format: ARTIFACT_FORMAT, version: VERSION }
  const digests = chunks.flatMap((chunk) => chunk.digests).join(' ')
  const functions = chunks.map((_, i) => `...f${i}`).join(', ')
  return `import { openEagerArtifact } from 'framework/internal'
${imports.join('')}
export default openEagerArtifact({ ...${JSON.stringify(eager)}, digests: ${JSON.stringify(digests)}, functions: [${functions}] })
`
}

/** Whether Node reads a `.js` file in `folder` as an ES module. */
function isModuleFolder(folder: string): boolean {
  const root = packageRootOf(join(folder, 'register.js'))
  if (root === undefined) return false
  const file = join(root, 'package.json')
  if (!existsSync(file)) return false
  return (JSON.parse(readFileSync(file, 'utf8')) as { type?: string }).type === 'module'
}
