/** How large a deployment is, by packages and modules. */
import type { OutputBundle } from 'rollup'

/** How compiled functions are called among the owners of code. */
const FUNCTIONS = 'compiled schemas'

/** A module of a bundle. */
export interface ModuleSize {
  /** The package that it belongs to; `''` is the application itself. */
  readonly owner: string
  /** Its path. */
  readonly name: string
  /** As it stands in the bundle. */
  readonly bytes: number
}

export interface Sizes {
  /** Code, by the package that it comes from; the application itself is `''`. Most bytes first. */
  readonly bytes: readonly { readonly name: string; readonly bytes: number }[]
  /** Of all code. */
  readonly size: number
  /** Files of code. */
  readonly files: readonly string[]
}

/**
 * @param bundle the files that were bundled
 * @param functions the files of compiled functions beside them, by their names
 * @param bundled what has become of the modules of the bundle
 */
export function sizesOf(
  bundle: OutputBundle,
  functions: ReadonlyMap<string, string>,
  bundled: readonly ModuleSize[],
): Sizes & { readonly modules: readonly ModuleSize[] } {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const files = chunks.map(({ fileName, code }) => [fileName, Buffer.byteLength(code)] as const)
  const loaded = [...functions]
    .filter(([name]) => /\.c?js$/.test(name))
    .map(([name, text]) => ({ owner: FUNCTIONS, name, bytes: Buffer.byteLength(text) }))
  const modules = [...bundled, ...loaded].sort(bySize)
  const owners = new Map<string, number>()
  for (const { owner, bytes } of modules) owners.set(owner, (owners.get(owner) ?? 0) + bytes)
  const names = [...files.map(([name]) => name), ...loaded.map(({ name }) => name)]
  const all = [...files.map(([, bytes]) => bytes), ...loaded.map(({ bytes }) => bytes)]
  return {
    modules,
    bytes: [...owners].map(([name, bytes]) => ({ name, bytes })).sort(bySize),
    files: names.sort(),
    size: all.reduce((sum, bytes) => sum + bytes, 0),
  }
}

function bySize<Sized extends { readonly name: string; readonly bytes: number }>(
  a: Sized,
  b: Sized,
): number {
  return b.bytes - a.bytes || (a.name < b.name ? -1 : 1)
}

/** Those that have come to something, largest first. @param nameOf says what a module is called, by its id */
export function modulesOf(
  files: OutputBundle,
  nameOf: (id: string) => string,
): readonly ModuleSize[] {
  return Object.values(files)
    .flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []))
    .map(([id, { renderedLength: bytes }]) => ({ owner: ownerOf(id), name: nameOf(id), bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort(bySize)
}

/** @param id of a module, or what source maps call it */
export function ownerOf(id: string): string {
  if (/framework[-/]deploy[:/]artifact/.test(id)) return FUNCTIONS
  const [, name] = /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(`/${id}`) ?? []
  if (name !== undefined) return name
  return id.includes('framework-deploy:') ||
    /[/\\]dist[/\\]package[/\\]/.test(id) ||
    id.startsWith('\0commonjs')
    ? 'framework'
    : ''
}
