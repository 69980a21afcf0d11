import { existsSync } from 'node:fs'
import path from 'node:path'
import { isFile, isFolder } from '../../util/paths.ts'
import type { Assets } from '../assets.ts'
import { isAbove, noteFolder } from './named-files.ts'
import { namedPath } from './path-values.ts'

/**
 * Finds files in folders that modules pass on: one calls `load(__dirname)`, another one reads `join(folder, 'all.sql')`. Every folder that the
 * application passes on is matched with every path and text that may belong to it, because values aren't followed from module to module.
 */
export class PassedFolders {
  /** The modules that pass a folder on. */
  readonly #folders = new Map<string, Set<string>>()
  /** Paths below an unknown folder. */
  readonly #rests = new Set<string>()
  /** Texts that may name a file. */
  readonly #names = new Set<string>()

  /** @param file the module that passes it on, unless it names the files itself */
  addFolder(folder: string, file?: string): void {
    const files = this.#folders.get(folder) ?? new Set()
    this.#folders.set(folder, file === undefined ? files : files.add(file))
  }

  addRest(rest: string): void {
    this.#rests.add(rest)
  }

  addName(text: string): void {
    if (/^[^\0\n]{1,200}\.\w+$/.test(text) && !/\.[cm]?[jt]sx?$/.test(text)) this.#names.add(text)
  }

  /** Notes the files, and the modules whose folder goes where no file of it is named. @param modules all files of the bundle */
  noteFiles(assets: Assets, modules: readonly string[]): void {
    for (const [folder, files] of this.#folders) {
      const isKnown = [
        ...[...this.#rests].map((rest) => noteRest(folder, rest)),
        ...[...this.#names].map((name) => noteName(path.join(folder, name))),
      ].includes(true)
      if (isKnown) continue
      for (const file of files) if (isAbove(folder, file)) assets.unknownFiles.add(file)
    }

    function noteRest(folder: string, rest: string): boolean {
      const { path: target, ends } = namedPath(path.join(folder, rest))
      if (isAbove(target, folder + path.sep) || !existsSync(target)) return false
      // Paths of URLs often have the name of a folder with source.
      if (isFolder(target) && modules.some((file) => isAbove(target, file))) return false
      if (ends === undefined) assets.paths.add(target)
      else noteFolder(assets, folder, target, ends)
      return true
    }

    function noteName(target: string): boolean {
      if (!isFile(target)) return false
      assets.paths.add(target)
      return true
    }
  }
}
