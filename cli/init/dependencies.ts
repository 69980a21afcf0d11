/** Adds dependencies: this package, its compiler, and the alias that replaces Fastify. */
import { join } from 'node:path'
import type { LineName } from '../../runtime/artifact/lines.ts'
import { VERSION } from '../../runtime/artifact/version.ts'
import { FASTIFY_5_VERSION } from '../../runtime/lines/fastify-5/values.ts'
import { FASTIFY_5_ALIAS } from '../../compiler/servers/detect.ts'
import { packageJsonIn } from '../../compiler/util/package-json.ts'
import { isFile } from '../../compiler/util/paths.ts'
import type { ProjectInfo } from './project-info.ts'
import { setMember } from './json-text.ts'
import type { Draft, PackageJson } from './package-json.ts'
import type { Serving } from './serving.ts'
import { rangeInWorkspace } from './workspace.ts'

export function addDependencies(
  draft: Draft,
  folder: string,
  { dependencies, allDependencies, scripts }: PackageJson,
  { fastify, importsFramework, importsFastify, alias, packageManager, isMember }: ProjectInfo,
  { line, isOurs, isReplaced }: Serving,
): void {
  const add = (table: string, name: string, range: string): void => {
    draft.text = setMember(draft.text, [table, name], range)
    const before = allDependencies[name]
    const change =
      before === undefined ? range : before === range ? 'moves there' : `${before} → ${range}`
    draft.changes.push(`${table}: ${name} ${change}`)
  }
  const rangeOf = (name: string): string => rangeInWorkspace(folder, name) ?? VERSION
  const before = allDependencies['framework']
  // Where Fastify serves, the artifact needs no other package at run time, and a deployment contains this one.
  const isNeededToRun = isOurs && !scripts['start']?.includes('.framework/deploy')
  if (before === undefined)
    add(isNeededToRun ? 'dependencies' : 'devDependencies', 'framework', rangeOf('framework'))
  else if (isNeededToRun && !('framework' in dependencies)) {
    draft.text = setMember(draft.text, ['devDependencies', 'framework'], undefined)
    add('dependencies', 'framework', before)
  }
  if (!('@framework/compiler' in allDependencies))
    add('devDependencies', '@framework/compiler', rangeOf('@framework/compiler'))
  const lacksFastify = importsFastify && fastify === undefined && alias === undefined
  const needsNoAlias = importsFramework || (fastify === undefined && !lacksFastify)
  if (!isOurs || isReplaced || needsNoAlias) return
  const range = aliasFor(line, allDependencies['framework'] ?? rangeOf('framework'))
  const isNeeded = lacksFastify || 'fastify' in dependencies
  add(isNeeded ? 'dependencies' : 'devDependencies', 'fastify', range)
  const dependents = dependsOnFastify(folder, Object.keys(allDependencies))
  if (dependents.length === 0) return
  const [where, value] = overrides[packageManager](range)
  if (where === undefined || isMember) {
    draft.notes.push(
      `${dependents.join(', ')} ${dependents.length === 1 ? 'depends' : 'depend'} on Fastify: let it be \`${range}\` there too, by ${value}${isMember ? " of the workspace's root" : ''}.`,
    )
    return
  }
  draft.text = setMember(draft.text, where, value)
  draft.changes.push(`${where.join('.')} ${value}, for ${dependents.join(', ')}`)
}

/** @param declared the range of `framework` */
function aliasFor(line: LineName, declared: string): string {
  if (line === 'fastify@5') return `npm:${FASTIFY_5_ALIAS}@${FASTIFY_5_VERSION}`
  // A tarball or folder isn't a version of the registry.
  return /[:/]/.test(declared) ? declared : `npm:framework@${VERSION}`
}

/**
 * Where each package manager overrides transitive dependencies: a member of package.json with its value, or a
 * description of another file.
 */
const overrides: Readonly<
  Record<ProjectInfo['packageManager'], (range: string) => readonly [string[] | undefined, string]>
> = {
  npm: () => [['overrides', 'fastify'], '$fastify'],
  yarn: (range) => [['resolutions', 'fastify'], range],
  pnpm: () => [undefined, '`overrides` in pnpm-workspace.yaml'],
  bun: (range) => [['overrides', 'fastify'], range],
}

/** Returns the packages that depend on Fastify themselves, such as fastify-cli. */
export function dependsOnFastify(folder: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const installed = join(folder, 'node_modules', name)
    if (!isFile(join(installed, 'package.json'))) return knownToDepend.has(name)
    return 'fastify' in (packageJsonIn(installed).dependencies ?? {})
  })
}

/** Used for packages that aren't installed yet. */
const knownToDepend: ReadonlySet<string> = new Set(['fastify-cli', '@fastify/restartable'])
