/** Adds `framework/fastify` to the types of a project: plugins declare their additions for the module `fastify`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileChange } from './changes.ts'
import type { ProjectInfo } from './project-info.ts'
import { readJson, setMember } from './json-text.ts'
import type { Draft, PackageJson } from './package-json.ts'
import type { Serving } from './serving.ts'

const FILE = 'tsconfig.json'
const TYPES = 'framework/fastify'

/** Plans the change. It isn't needed if the project uses a real Fastify, or this package under its name. */
export function typesFor(
  folder: string,
  { allDependencies }: PackageJson,
  { language, importsFramework, fastify, alias }: ProjectInfo,
  { isOurs }: Serving,
  { notes }: Draft,
): readonly FileChange[] {
  const names = Object.keys(allDependencies)
  const hasPlugins = names.some((name) => name.startsWith('@fastify/'))
  const hasName = fastify !== undefined || alias !== undefined
  const isNeeded = isOurs && importsFramework && hasPlugins && !hasName
  const file = join(folder, FILE)
  if (language !== 'TypeScript' || !isNeeded || !existsSync(file)) return []
  const before = readFileSync(file, 'utf8')
  const read = readJson(before, true)
  const advice = `Add "${TYPES}" to \`compilerOptions.types\` in ${FILE}, for the types of plugins`
  if ('reason' in read || typeof read.value !== 'object' || read.value === null) {
    notes.push(`${advice}; it cannot be read.`)
    return []
  }
  const { compilerOptions = {}, extends: parent } = read.value as {
    compilerOptions?: { types?: readonly string[] }
    extends?: unknown
  }
  if (compilerOptions.types?.includes(TYPES) === true) return []
  if (compilerOptions.types === undefined && parent !== undefined) {
    notes.push(`${advice}, beside those of the configuration that it extends.`)
    return []
  }
  // Without a list, TypeScript before version 6 includes all installed types.
  const installed = names
    .filter((name) => name.startsWith('@types/'))
    .map((name) => name.slice('@types/'.length))
  const types = [...(compilerOptions.types ?? installed.sort()), TYPES]
  const after = setMember(before, ['compilerOptions', 'types'], types)
  return [{ file: FILE, before, after, changes: [`compilerOptions.types: ${TYPES}`] }]
}
