/** Sizes of a deployment, by package and module. */
import type { OutputBundle, OutputChunk } from 'rollup'
import { packageNameOf } from '../util/paths.ts'

/** The owner of validators and serializers. */
const COMPILED_SCHEMAS = 'compiled schemas'

/** A module or package of a deployment. */
interface Size {
  readonly name: string
  readonly bytes: number
}

export interface ModuleSize extends Size {
  /** Its package; `''` for the application. */
  readonly owner: string
}

export interface Sizes {
  /** Code by package, largest first; `''` is the application. */
  readonly bytes: readonly Size[]
  /** Total size of the code. */
  readonly size: number
  /** Files of code. */
  readonly files: readonly string[]
}

/**
 * @param functions files of validators and serializers beside the bundle, by name
 * @param bundled sizes of the modules in the bundle
 */
export function sizesOf(
  bundle: OutputBundle,
  functions: ReadonlyMap<string, string>,
  bundled: readonly ModuleSize[],
): Sizes & { readonly modules: readonly ModuleSize[] } {
  const chunks = Object.values(bundle).flatMap((file) =>
    file.type === 'chunk' ? [{ name: file.fileName, bytes: Buffer.byteLength(file.code) }] : [],
  )
  const beside = [...functions]
    .filter(([name]) => /\.c?js$/.test(name))
    .map(([name, text]) => ({ owner: COMPILED_SCHEMAS, name, bytes: Buffer.byteLength(text) }))
  const modules = [...bundled, ...beside].sort(bySize)
  const owners = new Map<string, number>()
  for (const { owner, bytes } of modules) owners.set(owner, (owners.get(owner) ?? 0) + bytes)
  const files = [...chunks, ...beside]
  return {
    modules,
    bytes: [...owners].map(([name, bytes]) => ({ name, bytes })).sort(bySize),
    files: files.map(({ name }) => name).sort(),
    size: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

function bySize(a: Size, b: Size): number {
  return b.bytes - a.bytes || (a.name < b.name ? -1 : 1)
}

/** Returns the sizes of modules that aren't empty in the bundle. @param nameOf returns the shown name of a module id */
export function moduleSizes(
  chunks: readonly OutputChunk[],
  nameOf: (id: string) => string,
): readonly ModuleSize[] {
  return chunks
    .flatMap(({ modules }) => Object.entries(modules))
    .map(([id, { renderedLength: bytes }]) => ({ owner: ownerOf(id), name: nameOf(id), bytes }))
    .filter(({ bytes }) => bytes > 0)
}

/** @param id of a module, or its name in source maps */
export function ownerOf(id: string): string {
  if (/framework[-/]deploy[:/]artifact/.test(id)) return COMPILED_SCHEMAS
  const name = packageNameOf(`/${id}`)
  if (name !== undefined) return name
  const isOurs = /framework-deploy:|[/\\]runtime[/\\]dist[/\\]|^\0commonjs/.test(id)
  return isOurs ? 'framework' : ''
}
