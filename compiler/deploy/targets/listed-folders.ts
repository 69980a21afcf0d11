/** Stubs of `node:fs` for packages that list folders to find modules, on platforms without a file system. */
import path from 'node:path'
import { packageJsonIn } from '../../util/package-json.ts'
import { packageRootOf } from '../../util/paths.ts'
import type { DeploymentPaths } from '../deployment-paths.ts'
import { compiledName } from '../deployment-paths.ts'
import { VIRTUAL } from '../virtual.ts'
import { LOCATE } from './environment.ts'

const stubs: Readonly<Record<string, string>> = {
  fs: `${VIRTUAL}folders`,
  'fs/promises': `${VIRTUAL}folders/promises`,
}

/** Checks for files of `@fastify/autoload`: the scan knows which modules it finds. */
export function usesListedFolders(file: string): boolean {
  return /[/\\]node_modules[/\\](?:@fastify[/\\]|fastify-)autoload[/\\]/.test(file)
}

/** Returns the stub of a Node module for such a package. */
export function stubFor(builtin: string, importer: string): string | undefined {
  return usesListedFolders(importer) ? stubs[builtin] : undefined
}

/** Returns the code of the stubs, by name. @param files the modules that such packages find, absolute */
export function listedFolderModules(
  files: readonly string[],
  paths: DeploymentPaths,
): [string, string][] {
  const listing = new Map<string, { readonly files: Set<string>; readonly folders: Set<string> }>()
  const texts: Record<string, string> = {}
  for (const file of files) {
    const deployed = compiledName(paths.of(file))
    list(path.posix.dirname(deployed)).files.add(path.posix.basename(deployed))
    const root = packageRootOf(file)
    if (root === undefined) continue
    const { type } = packageJsonIn(root)
    texts[paths.of(path.join(root, 'package.json'))] = JSON.stringify({ type })
  }
  const folders = [...listing].map(([folder, entries]) => [
    folder,
    [[...entries.files].sort(), [...entries.folders].sort()],
  ])
  const table = JSON.stringify(Object.fromEntries(folders))
  return [
    [
      `${VIRTUAL}folders`,
      `import { createFolders } from '${VIRTUAL}runtime'
export const promises = createFolders(${table}, ${JSON.stringify(texts)}, ${LOCATE})
`,
    ],
    [
      `${VIRTUAL}folders/promises`,
      `import { promises } from '${VIRTUAL}folders'
export const { readdir, readFile } = promises
`,
    ],
  ]

  /** Returns the entries of a folder, and adds it to its parent. */
  function list(folder: string): { readonly files: Set<string>; readonly folders: Set<string> } {
    let entries = listing.get(folder)
    if (entries === undefined) {
      listing.set(folder, (entries = { files: new Set(), folders: new Set() }))
      const parent = path.posix.dirname(folder)
      if (parent !== folder) list(parent).folders.add(path.posix.basename(folder))
    }
    return entries
  }
}
