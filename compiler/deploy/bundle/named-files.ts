/** Collects the files that expressions of a module name. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Node } from 'estree'
import { isFile, isFolder, isPackageFile } from '../../util/paths.ts'
import type { Assets } from '../assets.ts'
import { sourceOf } from '../assets.ts'
import { namedPath, type NamedPath } from './path-values.ts'
import { isText, nameOf, textOf } from './syntax-tree.ts'

/**
 * Returns whether the path leads to a program: a module that code starts as a thread or process.
 *
 * @param file the module
 * @param isInDeployment `process.cwd()` is a folder of the deployment
 * @param mayStart checks whether the code may start a module elsewhere
 */
export function noteFile(
  assets: Assets,
  file: string,
  { path: named, ends, dependsOnCwd }: NamedPath,
  node: Node,
  parent: Node | null,
  isInDeployment: boolean,
  mayStart: (target: string) => boolean,
): boolean {
  // Packages look for the files that match a pattern in the folder before it.
  const target = /[*{]/.test(named) ? named.replace(/[\\/][^\\/]*[*{].*$/, '') : named
  if (dependsOnCwd !== undefined && !(isInDeployment && dependsOnCwd === 'cwd()')) {
    // A folder above the module mostly leads to others.
    if (!isPackageFile(file) && !isAbove(target, file))
      assets.relativeToCwd.set(path.resolve(target), file)
  } else if (ends !== undefined) {
    noteFolder(assets, file, target, ends)
  } else if ((parent !== null && startsProgram(parent, node)) || mayStart(target)) {
    assets.programs.add(target)
    return true
  } else {
    assets.paths.add(target)
    // Files of the working directory may appear there later.
    const isOwn = !isPackageFile(file) && dependsOnCwd === undefined
    const written = isOwn ? fileNameIn(node, parent) : undefined
    if (written !== undefined && sourceOf(target) === undefined && !isFolder(target)) {
      assets.missing.set(target, { file, text: written })
    }
  }
  return false
}

/** Notes a binary beside the module. Code that Emscripten generates joins the name and the folder in ways that can't be followed. */
export function noteWebAssembly(assets: Assets, file: string, name: string): void {
  if (!/^[\w.-]+\.wasm$/.test(name)) return
  const binary = path.join(path.dirname(file), name)
  if (isFile(binary)) assets.paths.add(binary)
}

/** Notes the files of a folder that a computed name may mean. A module's own folder has too many others. */
function noteFolder(
  assets: Assets,
  file: string,
  folder: string,
  [start, end]: readonly [string, string],
): void {
  if (!isFolder(folder)) return
  const isOwn = isAbove(folder, file)
  if (start === '' && (end === '' || end.includes(path.sep))) {
    if (isOwn) assets.unknownFiles.add(file)
    else assets.paths.add(folder)
    return
  }
  const names = readdirSync(folder, { encoding: 'utf8', recursive: start === '' && !isOwn })
  for (const name of names) {
    const found = path.join(folder, name)
    if (name.startsWith(start) && name.endsWith(end) && isFile(found)) assets.paths.add(found)
  }
}

function isAbove(folder: string, file: string): boolean {
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep)
}

/** Returns the text in which a call names a file; `undefined` if the call gives only the beginning of a path. */
function fileNameIn(node: Node, parent: Node | null): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
  if (parent?.type === 'BinaryExpression' || parent?.type === 'TemplateLiteral') return undefined
  return node.arguments.filter(isText).map(textOf).at(-1)
}

/** Matches the first argument of `new Worker(path)` and `fork(path)`. */
export function startsProgram(parent: Node, node: Node): boolean {
  if (parent.type !== 'NewExpression' && parent.type !== 'CallExpression') return false
  const name = nameOf(parent.callee)
  return (name === 'Worker' || name === 'fork') && parent.arguments[0] === node
}

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

  /**
   * Notes the files. A module whose folder has none of the named files counts as one with computed names.
   *
   * @param modules all files of the bundle
   */
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
