/** What stands for `node:fs` in packages that read folders to find modules, where there is no file system. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRootOf } from '../../util/paths.ts'
import { OWN } from '../own.ts'
import type { Places } from '../places.ts'
import { compiledName } from '../places.ts'

/** What it stands for, and its names. */
const standIns: Readonly<Record<string, string>> = {
  fs: `${OWN}folders`,
  'fs/promises': `${OWN}folders/promises`,
}

/** Whether a file belongs to a package of which the build knows what it finds. */
export function findsModules(file: string): boolean {
  return /[/\\]node_modules[/\\](?:@fastify[/\\]|fastify-)autoload[/\\]/.test(file)
}

/** The module that such a package gets for one of Node. */
export function foldersInsteadOf(builtin: string, importer: string): string | undefined {
  return findsModules(importer) ? standIns[builtin] : undefined
}

/** The modules that stand for Node's. @param files what such packages find. Absolute */
export function folderModules(files: readonly string[], places: Places): [string, string][] {
  const listing = new Map<string, { readonly files: Set<string>; readonly folders: Set<string> }>()
  const texts: Record<string, string> = {}
  for (const file of files) {
    const place = compiledName(places.of(file))
    list(path.posix.dirname(place)).files.add(path.posix.basename(place))
    const root = packageRootOf(file)
    if (root === undefined) continue
    const manifest = path.join(root, 'package.json')
    const { type } = JSON.parse(readFileSync(manifest, 'utf8')) as { type?: string }
    texts[places.of(manifest)] = JSON.stringify({ type })
  }
  const folders = [...listing].map(([place, of]) => [
    place,
    [[...of.files].sort(), [...of.folders].sort()],
  ])
  const table = JSON.stringify(Object.fromEntries(folders))
  return [
    [
      `${OWN}folders`,
      `import { createFolders } from '${OWN}runtime'
export const promises = createFolders(${table}, ${JSON.stringify(texts)}, __deployedAt)
`,
    ],
    [
      `${OWN}folders/promises`,
      `import { promises } from '${OWN}folders'
export const { readdir, readFile } = promises
`,
    ],
  ]

  /** A folder is in the one around it. */
  function list(place: string): { readonly files: Set<string>; readonly folders: Set<string> } {
    let known = listing.get(place)
    if (known === undefined) {
      listing.set(place, (known = { files: new Set(), folders: new Set() }))
      const around = path.posix.dirname(place)
      if (around !== place) list(around).folders.add(path.posix.basename(place))
    }
    return known
  }
}
