/** Lists the packages of a workspace. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { globSync, parseDocument } from './on-use.ts'
import type { PackageJson } from './package-json.ts'
import { readPackageJson } from './package-json.ts'
import { filesIn } from './scripts.ts'

interface Member {
  /** Path relative to the root. */
  readonly folder: string
  /** True if it depends on Fastify or on this package, and isn't a library that only develops with it. */
  readonly isApplication: boolean
}

/**
 * Returns the folders of the applications of a workspace, or of all its packages if it has none. Returns undefined
 * for a package that isn't the root of a workspace.
 */
export function applicationsIn(folder: string, root: PackageJson): readonly string[] | undefined {
  const members = membersOf(folder, root)
  const applications = members?.filter(({ isApplication }) => isApplication) ?? []
  return (applications.length > 0 ? applications : members)?.map((one) => one.folder)
}

/** Returns undefined for a package that isn't the root of a workspace. */
function membersOf(folder: string, root: PackageJson): readonly Member[] | undefined {
  const patterns = patternsOf(folder, root)
  if (patterns === undefined) return undefined
  const files = globSync(
    patterns.map((one) =>
      one.startsWith('!') ? `!${packageJsonPattern(one.slice(1))}` : packageJsonPattern(one),
    ),
    { cwd: folder, ignore: ['**/node_modules/**'], expandDirectories: false },
  )
  return files.sort().flatMap((file) => {
    const member = dirname(file)
    if (member === '.') return []
    const found = readPackageJson(join(folder, member))
    return [{ folder: member, isApplication: 'text' in found && isApplication(found) }]
  })
}

function isApplication({ dependencies, devDependencies, scripts }: PackageJson): boolean {
  const [runs, develops] = [dependencies, devDependencies].map(
    (table) => 'fastify' in table || 'framework' in table,
  )
  const programs = [scripts['start'], scripts['dev']].flatMap((script) => filesIn(script ?? ''))
  return runs === true || (develops === true && programs.length > 0)
}

/** Returns the nearest folder above a package that is the root of a workspace, even if its patterns exclude the package. */
export function workspaceAbove(folder: string): string | undefined {
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, 'pnpm-workspace.yaml'))) return at
    if (readableIn(at)?.workspaces !== undefined) return at
  }
  return undefined
}

/** Returns the range of a dependency in the first package of the workspace that lists it. Paths, such as of a tarball, become relative to `folder`. */
export function rangeInWorkspace(folder: string, name: string): string | undefined {
  const root = workspaceAbove(folder) ?? folder
  const packageJson = readPackageJson(root)
  const members = ('text' in packageJson && membersOf(root, packageJson)) || []
  for (const at of [root, ...members.map((member) => join(root, member.folder))]) {
    const range = readableIn(at)?.allDependencies[name]
    if (range === undefined) continue
    const [, scheme, path = ''] = /^(file:|link:)(?:\/\/)?(.*)$/.exec(range) ?? []
    return scheme === undefined ? range : scheme + relative(folder, resolve(at, path))
  }
  return undefined
}

/** Returns the package.json of another package; `undefined` if it is missing or invalid, which is for that package to report. */
function readableIn(folder: string): PackageJson | undefined {
  const found = readPackageJson(folder)
  return 'text' in found ? found : undefined
}

function packageJsonPattern(pattern: string): string {
  return `${pattern.replace(/^\.\//, '').replace(/\/+$/, '')}/package.json`
}

/** npm and Yarn list them in package.json, pnpm in its own file. */
function patternsOf(folder: string, { workspaces }: PackageJson): readonly string[] | undefined {
  const file = join(folder, 'pnpm-workspace.yaml')
  // Without packages, the file only contains settings.
  const fromPnpm = existsSync(file) ? packagesIn(readFileSync(file, 'utf8')) : undefined
  const named = (workspaces as { packages?: unknown } | undefined)?.packages ?? workspaces
  const patterns = fromPnpm ?? named
  if (!Array.isArray(patterns)) return undefined
  return patterns.filter((one): one is string => typeof one === 'string')
}

/** Returns the patterns of a `pnpm-workspace.yaml`: none for invalid YAML. */
function packagesIn(text: string): unknown {
  const document = parseDocument(text)
  if (document.errors.length > 0) return []
  try {
    return (document.toJS() as { packages?: unknown } | null)?.packages
  } catch {
    // An alias without its anchor.
    return []
  }
}
