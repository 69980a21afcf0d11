import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The main file of a deployment. */
export const MAIN_FILE = 'index.js'

/** The folder of a deployment in which files lie as they do around the application. */
export const FILES = 'files'

/** Says where in a deployment a file of the application, or of a package, is to be found. */
export interface Places {
  /** Relative to the deployment, with forward slashes. */
  of(file: string): string
}

/**
 * Files keep their places to each other, so that `..` leads where it led. What lies outside of the project, as packages
 * may, gets a place as if it were installed in it.
 */
export function createPlaces(root: string): Places {
  const base = projectOf(root)
  return {
    of(file) {
      const inside = path.relative(base, file)
      const isOutside = inside.startsWith('..') || path.isAbsolute(inside)
      return path.posix.join(FILES, ...(isOutside ? outside(file) : inside.split(path.sep)))
    },
  }
}

function outside(file: string): string[] {
  const parts = file.split(path.sep)
  const at = parts.indexOf('node_modules')
  return at === -1 ? ['outside', ...parts.slice(-2)] : parts.slice(at)
}

/** The folder of the workspace that a package belongs to; that of the package itself when there is none. */
function projectOf(root: string): string {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (isProject(folder)) return folder
    if (folder === path.dirname(folder)) return root
  }
}

const marks = [
  '.git',
  'package-lock.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  'bun.lock',
]

function isProject(folder: string): boolean {
  if (marks.some((mark) => existsSync(path.join(folder, mark)))) return true
  const manifest = path.join(folder, 'package.json')
  return (
    existsSync(manifest) &&
    (JSON.parse(readFileSync(manifest, 'utf8')) as { workspaces?: unknown }).workspaces !==
      undefined
  )
}

/** The name that a file has when it runs: TypeScript is compiled to JavaScript. */
export function compiledName(file: string): string {
  return file.replace(/\.([cm]?)tsx?$/, '.$1js')
}
