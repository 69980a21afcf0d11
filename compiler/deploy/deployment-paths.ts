/** Decides where files of the application are in a deployment. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { packageJsonIn } from '../util/package-json.ts'

/** The main file of a deployment. */
export const MAIN_FILE = 'index.js'

/** Folder of a deployment with Node's compile cache. */
export const CACHE_FOLDER = 'compile-cache'

/** Folder of a deployment for files of the application, which keep their relative paths there. */
export const FILES = 'files'

/** Maps files of the application and its packages to paths in the deployment. */
export interface DeploymentPaths {
  /** The folder of the application: the working directory that its build assumes. */
  readonly root: string
  /** The folder of the project: the root of a repository or workspace, or the package's own folder. */
  readonly project: string
  /** Returns a path relative to the deployment, with forward slashes. */
  of(file: string): string
}

/** Keeps files at their relative paths, so that `..` still works. Packages outside of the project appear as if installed in it. */
export function createDeploymentPaths(root: string): DeploymentPaths {
  const project = projectOf(root)
  return {
    root,
    project,
    of(file) {
      const inside = path.relative(project, file)
      const isOutside = inside.startsWith('..') || path.isAbsolute(inside)
      return path.posix.join(FILES, ...(isOutside ? outsidePath(inside) : inside.split(path.sep)))
    },
  }
}

/** Returns the path from a folder of the project to the project, with a slash at the end; `undefined` for other folders. */
export function pathToProject({ project }: DeploymentPaths, folder: string): string | undefined {
  const inside = path.relative(project, folder)
  if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) return undefined
  return '../'.repeat(inside.split(path.sep).length)
}

/** Folders named `up` replace `..`, which would lead out of `outside`. Other drives of Windows have a colon. */
function outsidePath(relative: string): string[] {
  const parts = relative.split(path.sep)
  const at = parts.indexOf('node_modules')
  if (at !== -1) return parts.slice(at)
  return ['outside', ...parts.map((part) => (part === '..' ? 'up' : part.replace(':', '')))]
}

/** Returns the nearest folder that looks like the root of a project, or else the package's own folder. */
function projectOf(root: string): string {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (isProject(folder)) return folder
    if (folder === path.dirname(folder)) return root
  }
}

const projectMarks = [
  '.git',
  'package-lock.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  'bun.lock',
]

function isProject(folder: string): boolean {
  const hasMark = projectMarks.some((mark) => existsSync(path.join(folder, mark)))
  return hasMark || packageJsonIn(folder).workspaces !== undefined
}

/** Returns the name that a file has after compilation: `.ts` becomes `.js`. */
export function compiledName(file: string): string {
  return file.replace(/\.([cm]?)tsx?$/, '.$1js')
}
