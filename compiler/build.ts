/** Builds what has changed; the compiler is loaded only when something has. */
import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { harmTo } from './5-bundle/others.ts'
import type { Harm } from './5-bundle/others.ts'
import { write } from './5-bundle/write.ts'
import type { Manifest } from './5-bundle/manifest.ts'
import type { ParsedFiles } from './1-scan/parse.ts'
import type { Cache, Edited } from './cache/index.ts'
import { openCache } from './cache/index.ts'
import type { Diagnostic, Output, ResolvedUnit, SourceLocation } from './model/index.ts'
import { diagnostic } from './report/errors.ts'
import type { CompiledArtifact, CompileResult, Memory, OnPhase, RecalledScan } from './compile.ts'
import { answersIn, answersOf, environmentPrint } from './cache/record.ts'
import type { ScanRecord } from './cache/record.ts'
import type { StoredScan } from './cache/scans.ts'
import { writeScan } from './cache/scans.ts'
import type { UnitStore } from './cache/units.ts'
import { openClosures } from './cache/closures.ts'
import type { ClosureStore } from './cache/closures.ts'
import { openPackages } from './cache/packages.ts'
import { openSlices } from './cache/slices.ts'
import { openUnits } from './cache/units.ts'
import type { BuildOptions } from './options.ts'
import { resolveOptions } from './options.ts'
import { displayPath } from './util/paths.ts'
import { isFileError, SourceFiles } from './util/source-files.ts'

/** What a build found already done. */
export interface Reuse {
  /** Whether nothing was to be done at all. */
  readonly unchanged: boolean
  /** Whether the source was scanned. */
  readonly isScanned: boolean
  /** Functions that were compiled. */
  readonly compiled: number
  /** Functions that were taken from an earlier build. */
  readonly reused: number
  /** Why later builds will not find anything of this one, when that is so. */
  readonly unkept: string | undefined
}

export interface BuildResult extends Omit<CompileResult, 'artifact'> {
  readonly artifact: BuiltArtifact | undefined
  /** The paths that the result depends on, also of files that are not there. Absolute. */
  readonly read: readonly string[]
}

/** What builds leave to those after them in the same process. */
export interface Session {
  trees?: ParsedFiles
}

export interface BuiltArtifact extends Pick<CompiledArtifact, 'manifest'> {
  readonly output: Output
  readonly reuse: Reuse
}

/**
 * Compiles and, when there was no problem, writes the artifact. Unless `cache` is off, what earlier builds have
 * left is used as far as it is still right; the artifact is the same to the byte.
 *
 * @param session the same for builds that follow one another in one process
 */
export async function build(
  buildOptions: BuildOptions,
  onPhase: OnPhase = () => undefined,
  session?: Session,
): Promise<BuildResult> {
  const cache = cacheFor(buildOptions)
  const done = cache && unchanged(cache, buildOptions)
  return done ?? compileAndWrite(buildOptions, onPhase, cache, session)
}

/** What earlier builds know, for one that does not write an artifact. */
export function memoryOf(buildOptions: BuildOptions): Stores | undefined {
  const cache = cacheFor(buildOptions)
  return cache && openStores(cache, resolveOptions(buildOptions).root)
}

/** What the last build has written, when one now would write the same. */
export function buildUnchanged(buildOptions: BuildOptions): BuildResult | undefined {
  const cache = cacheFor(buildOptions)
  return cache && unchanged(cache, buildOptions)
}

function cacheFor(buildOptions: BuildOptions): Cache | undefined {
  // What a booted application tells depends on more than its files.
  const usesCache = buildOptions.cache !== false && !buildOptions.trace && !buildOptions.verify
  return usesCache ? openCache(resolveOptions(buildOptions)) : undefined
}

function unchanged(cache: Cache, buildOptions: BuildOptions): BuildResult | undefined {
  const found = cache.unchanged()
  if (found === undefined) return undefined
  const { output, told, read } = found
  const manifest = JSON.parse(output.heads.get('manifest.json') as string) as Manifest
  const reused = Object.keys(manifest.functions).length
  return {
    ...(told as unknown as Omit<CompileResult, 'artifact' | 'options'>),
    options: resolveOptions(buildOptions),
    read,
    artifact: {
      manifest,
      output,
      reuse: { unchanged: true, isScanned: false, compiled: 0, reused, unkept: undefined },
    },
  }
}

async function compileAndWrite(
  buildOptions: BuildOptions,
  onPhase: OnPhase,
  cache: Cache | undefined,
  session: Session | undefined,
): Promise<BuildResult> {
  const { out, root } = resolveOptions(buildOptions)
  const obstacle = obstacleTo(out)
  if (obstacle !== undefined) return notWritable(buildOptions, `"${obstacle}" is no folder`)
  const { compile } = await import('./compile.ts')
  const trees = session && (session.trees ??= new (await import('./1-scan/parse.ts')).ParsedFiles())
  const stores = cache && openStores(cache, root)
  const { files = new SourceFiles(), ...others } = stores?.memory ?? {}
  const edited = cache?.edited()
  const scanned =
    cache &&
    edited &&
    ((): Promise<RecalledScan | undefined> => scannedBefore(cache, edited, root, files))
  const memory: Memory = { ...others, files, trees, scanned }
  const result = await compile(buildOptions, onPhase, memory)
  const { artifact, options, ...told } = result
  const read = pathsIn(memory.files)
  if (artifact === undefined) return { ...told, options, artifact, read }
  onPhase('write')
  try {
    const harm = harmTo(artifact.output, out)
    if (harm !== undefined) return harmful(buildOptions, harm)
    write(artifact.output, out)
  } catch (error) {
    if (!isFileError(error)) throw error
    return notWritable(buildOptions, error.message)
  }
  const { manifest, output, isScanned, compiled, reused } = artifact
  const unkept =
    cache && stores
      ? await keep(cache, stores, artifact, { root, told, before: edited?.scan })
      : 'the cache is off'
  // What only a deployment asks for is made by functions, which no thread can tell another one.
  const { parts, heads, bytes } = output
  return {
    ...told,
    options,
    read: pathsIn(memory.files),
    artifact: {
      manifest,
      output: { parts, heads, bytes },
      reuse: { unchanged: false, isScanned, compiled, reused, unkept },
    },
  }
}

/** What was scanned, if a scan would now find the same but for values that are written in the source. */
async function scannedBefore(
  { scanFile, print }: Cache,
  { asked, scan: { id, edited } }: Edited,
  root: string,
  files: SourceFiles,
): Promise<RecalledScan | undefined> {
  const { readScan } = await import('./cache/scans.ts')
  const stored = readScan(scanFile, print, root, id)
  const paths = edited.map((path) => resolve(root, path))
  if (stored === undefined || !paths.every((path) => isSource(stored, path))) return undefined
  const { restoreScan } = await import('./1-scan/kept/index.ts')
  const texts = new Map(paths.map((path) => [path, files.source(path)]))
  const restored = restoreScan(stored.kept, root, texts)
  if (restored === undefined) return undefined
  for (const answer of answersIn(asked, root)) files.recall(answer)
  stored.loaded.forEach((one) => files.noteLoaded(one))
  return { ...restored, routes: stored.routes }
}

/** Whether a file is nothing but source: not one that real code consists of, or that says which packages are installed. */
function isSource({ kept, real }: StoredScan, path: string): boolean {
  return kept.files.some(({ file }) => file === path) && !real.includes(path)
}

/** What a build remembers, and what writes it down. */
export interface Stores {
  readonly memory: Memory
  readonly closures: ClosureStore
  /** By what a unit is known to later builds. */
  keyOf(unit: ResolvedUnit): string | undefined
  /** Says why, when it cannot: what was built is there all the same. */
  save(): string | undefined
}

function openStores(cache: Cache, root: string): Stores {
  const { print, unitFile, sliceFile, closureFile, packageFile } = cache
  const files = new SourceFiles()
  const closures = openClosures(closureFile, print, root)
  const slices = openSlices(sliceFile, print, closures)
  const packages = openPackages(packageFile, print, root)
  let units: UnitStore | undefined
  const memory: Memory = {
    files,
    slices,
    closures,
    units: (live) => (units = openUnits(unitFile, print, live)),
    packages: async (entries) => {
      for (const { importer } of entries) files.importers.add(importer)
      const { factsOf } = await import('./packages/index.ts')
      return packages.facts(entries, factsOf)
    },
  }
  return {
    memory,
    closures,
    keyOf: (unit) => units?.keyOf(unit),
    save: () =>
      unlessRefused(() => {
        slices.save([...files.loaded.values()])
        closures.save()
        units?.save()
        packages.save()
        return undefined
      }),
  }
}

/** What is in the way of a folder: a file that has its name, or that of a folder above it. */
function obstacleTo(folder: string): string | undefined {
  let nearest = folder
  while (!existsSync(nearest)) nearest = dirname(nearest)
  return statSync(nearest).isDirectory() ? undefined : nearest
}

function notWritable(buildOptions: BuildOptions, reason: string): BuildResult {
  return refused(buildOptions, (at, out) => diagnostic('AOT_OUTPUT_NOT_WRITABLE', at, out, reason))
}

function harmful(buildOptions: BuildOptions, harm: Harm): BuildResult {
  return refused(buildOptions, (at, _, display) => {
    const file = display(harm.file)
    return harm.type === 'replace'
      ? diagnostic('AOT_OUTPUT_NOT_OURS', at, file)
      : diagnostic('AOT_OUTPUT_LEADS_OUT', at, file, display(harm.target))
  })
}

function pathsIn(files: SourceFiles): readonly string[] {
  const paths = new Set<string>()
  for (const [, path] of files.answers()) paths.add(path)
  return [...paths]
}

/** Nothing is written. @param say gets the folder of the artifact as a place and as a text */
function refused(
  buildOptions: BuildOptions,
  say: (at: SourceLocation, out: string, display: (path: string) => string) => Diagnostic,
): BuildResult {
  const options = resolveOptions(buildOptions)
  const display = (path: string): string => displayPath(path, options.root)
  const out = display(options.out)
  const diagnostics = [say({ file: out, line: 0, column: 0 }, out, display)]
  return {
    options,
    diagnostics,
    dynamic: [],
    warnings: [],
    leftOpen: undefined,
    artifact: undefined,
    read: [],
  }
}

interface Kept {
  readonly root: string
  readonly told: object
  /** What was scanned by an earlier build, with what has changed since. */
  readonly before: ScanRecord | undefined
}

/** Leaves what later builds need. Says why, when it cannot: the artifact is there all the same. */
async function keep(
  cache: Cache,
  { memory: { files }, closures, keyOf, save }: Stores,
  { graph, isScanned, tree, app, output }: CompiledArtifact,
  { root, told, before }: Kept,
): Promise<string | undefined> {
  const { liveRefs, livePrint } = await import('./cache/live.ts')
  const { keepRoutes } = await import('./3-resolve/known-routes.ts')
  const refs = liveRefs(tree.options.ajv)
  const { isComplete } = await closures.of([...files.loaded.values()])
  const isLiveKnown =
    refs.length === 0 || (await livePrint(tree.options.ajv, closures)) !== undefined
  return unlessRefused(() => {
    const refused = save()
    if (refused !== undefined) return refused
    if (!isComplete || !isLiveKnown) {
      return 'the build has run code that may depend on more than can be seen'
    }
    const asked = answersOf(root, files, closures.answers())
    const scanNow = (): ScanRecord | undefined => {
      const found = graph?.kept()
      if (found === undefined) return undefined
      const { numbers, ...kept } = found
      const routes = keepRoutes(app, numbers, keyOf)
      const real = [...closures.answers()].map(([, path]) => path)
      const scan = { kept, loaded: [...files.loaded.values()], real, routes }
      return { id: writeScan(cache.scanFile, cache.print, root, asked, scan), edited: [] }
    }
    cache.keep(output, {
      asked,
      scan: isScanned ? scanNow() : before,
      environment: refs.length > 0 ? environmentPrint() : undefined,
      told: { ...told },
    })
    return undefined
  })
}

/** What it says, or why files cannot be written. */
function unlessRefused(write: () => string | undefined): string | undefined {
  try {
    return write()
  } catch (error) {
    if (!isFileError(error)) throw error
    return error.message
  }
}
