import path from 'node:path'
import type { OnDiagnostic } from '../model/index.ts'
import { displayPath } from '../util/paths.ts'
import { diagnostic } from '../report/errors.ts'
import type { SourceFiles } from '../util/source-files.ts'

/** Finds the map of Yarn's Plug'n'Play, which keeps packages in archives. The build can't read packages from archives. */
export function plugAndPlayMap(root: string, files: SourceFiles): string | undefined {
  for (let folder = root; ; folder = path.dirname(folder)) {
    // Packages are installed in folders, whatever is further up.
    if (files.exists(path.join(folder, 'node_modules/framework'))) return undefined
    const map = path.join(folder, '.pnp.cjs')
    if (files.isFile(map)) return map
    if (folder === path.dirname(folder)) return undefined
  }
}

export function reportPlugAndPlay(root: string, files: SourceFiles, report: OnDiagnostic): void {
  const map = plugAndPlayMap(root, files)
  if (map === undefined) return
  report(diagnostic('AOT_PLUG_N_PLAY', { file: displayPath(map, root), line: 0, column: 0 }))
}
