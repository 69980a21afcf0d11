import { dirname, join } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { ArtifactIndex } from '../../runtime/artifact/load.ts'
import { ARTIFACT_FORMAT, VERSION } from '../../runtime/artifact/version.ts'
import type { Digest, Output, PackedUnit, ResolvedApp, ResolvedOptions } from '../model.ts'
import type { SourceFiles } from '../source-files.ts'
import type { Chunk } from './chunks.ts'
import { chunkSource, createChunks, moduleSource } from './chunks.ts'
import type { Manifest } from './manifest.ts'
import type { UserModules } from './user-modules.ts'

/** Joins the functions to the files of an artifact, in memory. */
export function bundle(
  packed: readonly PackedUnit[],
  userModules: UserModules,
  manifest: Manifest,
  app: ResolvedApp,
  options: ResolvedOptions,
  files: SourceFiles,
): Output {
  const chunks = createChunks(packed, userModules)
  const parts = new Map<string, string>()
  const user = userModules.code ? addPart(parts, userModules.code.module, 'mjs') : ''
  const index: Index = {
    format: ARTIFACT_FORMAT,
    version: VERSION,
    ...completeDigests(app, packed),
    chunks: chunks.map((chunk) => {
      const code = chunkSource(chunk, `./${user}`)
      return {
        file: `chunks/${addPart(parts, code, 'cjs')}`,
        checksum: digestOf(code),
        digests: chunk.digests.join(' '),
      }
    }),
  }
  return {
    parts,
    heads: new Map([
      ['manifest.json', `${JSON.stringify(manifest, null, 2)}\n`],
      ['worker.mjs', workerSource(chunks, index, userModules.code?.statements ?? '')],
      ['index.mjs', indexSource(index)],
      ['register.js', registerSource(index, isModuleFolder(options.out, files))],
    ]),
    bytes: [...parts.values()].reduce((sum, code) => sum + Buffer.byteLength(code), 0),
  }
}

/** The digests that stand for functions, as far as the artifact has them. */
function completeDigests(
  { routes, units }: ResolvedApp,
  packed: readonly PackedUnit[],
): Pick<ArtifactIndex, 'routes' | 'plain'> {
  const functions = new Set(packed.map(({ digest }) => digest))
  const complete = [...routes].filter(([, parts]) => parts.every((part) => functions.has(part)))
  const plain = [...units.values()].flatMap(({ digest, plain }) =>
    plain !== undefined && plain !== digest && functions.has(digest) ? [[plain, digest]] : [],
  )
  return {
    routes: complete
      .map(([digest]) => digest)
      .sort()
      .join(' '),
    plain: Object.fromEntries(plain) as Record<Digest, Digest>,
  }
}

/** What both heads say; each adds its own URL. */
type Index = Omit<ArtifactIndex, 'url'>

const NOTE =
  '// Written by `framework build`. Do not edit: the runtime refuses what it did not write.\n'

/** Names a file after its content. */
function addPart(parts: Map<string, string>, code: string, extension: 'cjs' | 'mjs'): string {
  const name = `c-${digestOf(code)}.${extension}`
  parts.set(`chunks/${name}`, code)
  return name
}

function indexSource(index: Index): string {
  return `${NOTE}import { openArtifact } from 'framework/internal'

export default openArtifact({ ...${JSON.stringify(index)}, url: import.meta.url })
`
}

/** Leaves its data where the runtime looks for it; in the module system that Node takes a `.js` file there for. */
function registerSource(index: Index, isModule: boolean): string {
  const url = isModule ? 'import.meta.url' : "require('node:url').pathToFileURL(__filename).href"
  return `${NOTE}const artifacts = (globalThis[Symbol.for('framework.artifacts')] ??= [])
artifacts.push({ ...${JSON.stringify(index)}, url: ${url} })
`
}

/** Everything in one file; what comes from user modules stands in front. */
function workerSource(
  chunks: readonly Chunk[],
  { format, version, routes, plain }: Index,
  userStatements: string,
): string {
  const about = { format, version, routes, plain }
  const digests = chunks.flatMap((chunk) => chunk.digests).join(' ')
  return moduleSource(
    chunks,
    userStatements,
    ['openEagerArtifact'],
    (makers) =>
      `export default openEagerArtifact({...${JSON.stringify(about)},digests:${JSON.stringify(digests)},functions:${makers}})`,
  )
}

/** Whether Node reads a `.js` file in `folder` as an ES module. */
function isModuleFolder(folder: string, files: SourceFiles): boolean {
  const manifest = join(folder, 'package.json')
  if (files.isFile(manifest)) {
    return (JSON.parse(files.text(manifest)) as { type?: string }).type === 'module'
  }
  const parent = dirname(folder)
  return parent !== folder && isModuleFolder(parent, files)
}
