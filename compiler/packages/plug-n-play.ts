import path from 'node:path'
import type { Report } from '../model/index.ts'
import { displayPath } from '../util/paths.ts'
import { diagnostic } from '../report/errors.ts'
import type { SourceFiles } from '../util/source-files.ts'

/**
 * Where Yarn keeps packages in archives: the file that says where. The command itself runs there, but the build looks for packages in
 * folders, and would find none of those that the application imports.
 */
export function plugAndPlayMap(root: string, files: SourceFiles): string | undefined {
  for (let folder = root; ; folder = path.dirname(folder)) {
    // What is installed in folders is found, whatever lies further up.
    if (files.exists(path.join(folder, 'node_modules/framework'))) return undefined
    const map = path.join(folder, '.pnp.cjs')
    if (files.isFile(map)) return map
    if (folder === path.dirname(folder)) return undefined
  }
}

export function reportPlugAndPlay(root: string, files: SourceFiles, report: Report): void {
  const map = plugAndPlayMap(root, files)
  if (map === undefined) return
  report(diagnostic('AOT_PLUG_N_PLAY', { file: displayPath(map, root), line: 0, column: 0 }))
}
