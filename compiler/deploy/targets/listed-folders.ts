/** Stubs of `node:fs` for packages that list folders to find modules, on platforms without a file system. */
import path from 'node:path'
import { packageJsonIn } from '../../util/package-json.ts'
import { packageRootOf } from '../../util/paths.ts'
import type { DeploymentPaths } from '../deployment-paths.ts'
import { VIRTUAL } from '../virtual.ts'
import { LOCATE } from './environment.ts'

/** Checks for files of `@fastify/autoload`. Its folders can be stubbed, because the scan knows which modules it finds. */
export function usesListedFolders(file: string): boolean {
  return /[/\\]node_modules[/\\](?:@fastify[/\\]|fastify-)autoload[/\\]/.test(file)
}

/** Returns the stub of a Node module if `@fastify/autoload` imports it. */
export function stubFor(builtin: string, importer: string): string | undefined {
  const isStub = usesListedFolders(importer) && /^fs(?:\/promises)?$/.test(builtin)
  return isStub ? `${VIRTUAL}${builtin}` : undefined
}

/** Returns the code of the stubs, by name. @param files the modules that such packages find, absolute */
export function listedFolderModules(
  files: readonly string[],
  paths: DeploymentPaths,
): [string, string][] {
  const listing = new Map<string, [files: Set<string>, folders: Set<string>]>()
  const texts: Record<string, string> = {}
  for (const file of files) {
    list(paths.of(file), 0)
    const root = packageRootOf(file)
    if (root === undefined) continue
    const { type } = packageJsonIn(root)
    texts[paths.of(path.join(root, 'package.json'))] = JSON.stringify({ type })
  }
  const table = Object.fromEntries(
    [...listing].map(([folder, entries]) => [folder, entries.map((names) => [...names].sort())]),
  )
  return [
    [
      `${VIRTUAL}fs`,
      `import { createFolders } from '${VIRTUAL}deployed'
export const promises = createFolders(${JSON.stringify(table)}, ${JSON.stringify(texts)}, ${LOCATE})
`,
    ],
    [
      `${VIRTUAL}fs/promises`,
      `import { promises } from '${VIRTUAL}fs'
export const { readdir, readFile } = promises
`,
    ],
  ]

  /** Adds a file or folder to the entries of its folder. */
  function list(entry: string, kind: 0 | 1): void {
    const folder = path.posix.dirname(entry)
    if (folder === entry) return
    const entries = listing.get(folder) ?? [new Set(), new Set()]
    listing.set(folder, entries)
    entries[kind].add(path.posix.basename(entry))
    list(folder, 1)
  }
}
