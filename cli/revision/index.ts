/** Compiles the application as it is in a revision of its Git repository. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import { compile } from '../../compiler/compile.ts'
import type { Diagnostic } from '../../compiler/model/index.ts'
import type { BuildOptions } from '../../compiler/options.ts'
import { nearestFolder } from '../../compiler/util/paths.ts'
import { mirrorPackages } from './packages.ts'

export interface Revision {
  readonly repository: string
  readonly commit: string
  /** The absolute path of the entry file in the working tree. */
  readonly entry: string
}

/** Finds a revision by name, without compiling anything. */
export function findRevision(
  name: string,
  entryPath: string,
): Revision | 'no repository' | 'no revision' {
  const path = resolve(entryPath)
  const entry = existsSync(path) ? realpathSync(path) : path
  const repository = repositoryOf(dirname(entry))
  if (repository === undefined) return 'no repository'
  const commit = commitOf(repository, name)
  return commit === undefined ? 'no revision' : { repository, commit, entry }
}

/** Compiles a revision in a temporary folder, with the packages that are installed now. Doesn't boot the application. */
export async function manifestOfRevision(
  { repository, commit, entry }: Revision,
  buildOptions: BuildOptions,
): Promise<Manifest | readonly Diagnostic[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'framework-revision-')))
  try {
    const tree = join(folder, 'tree')
    mkdirSync(tree)
    checkOut(repository, commit, { index: join(folder, 'index'), tree })
    mirrorPackages(repository, tree)
    const { artifact, diagnostics } = await compile({
      ...buildOptions,
      entry: join(tree, relative(repository, entry)),
      out: join(folder, 'out'),
      allowDynamic: true,
      trace: false,
      cache: false,
    })
    return artifact?.manifest ?? diagnostics
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the root of the Git repository that contains a folder. */
export function repositoryOf(folder: string): string | undefined {
  const root = nearestFolder(folder, '.git')
  return root && realpathSync(root)
}

function commitOf(repository: string, revision: string): string | undefined {
  // Git would read it as an option.
  if (revision.startsWith('-')) return undefined
  try {
    return git(repository, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]).trim()
  } catch (error) {
    // Git exits with a code if there is no such revision.
    if (error instanceof Error && 'status' in error && error.status !== null) return undefined
    throw error
  }
}

/** Writes the files of a commit through a separate index: nothing in the repository changes, and no hook runs. */
function checkOut(
  repository: string,
  commit: string,
  { index, tree }: { readonly index: string; readonly tree: string },
): void {
  const env = { ...process.env, GIT_INDEX_FILE: index }
  git(repository, ['-c', 'core.hooksPath=/dev/null', 'read-tree', commit], env)
  git(repository, ['checkout-index', '--all', `--prefix=${tree}/`], env)
}

function git(
  repository: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): string {
  return execFileSync('git', ['-C', repository, ...args], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: Infinity,
  })
}
