/** Pieces of prelude and main modules. */
import { moduleKindOf } from '../../util/module-kind.ts'
import { VIRTUAL } from '../virtual.ts'
import { LOCATE } from './environment.ts'
import type { EntryModule } from './platform.ts'

/** Name of the function that an entry exports if its statements were moved into one. */
export const RUN = '__runEntry'

/** Makes the entry the main module of the process, for code that checks `process.argv[1]`. */
export function asMain({ path }: EntryModule): string {
  return `process.argv[1] = ${LOCATE}(${JSON.stringify(path)})\n`
}

/** Imports the factory as `framework`, and functions that start applications of a deployment. */
function importsOfDeployed({ factory }: EntryModule, functions: string): string {
  return `import framework from '${factory}'
import { ${functions} } from '${VIRTUAL}deployed'
`
}

/** Imports the entry as `entry`, too. */
export function importsOf(entry: EntryModule, functions: string): string {
  return `${importsOfDeployed(entry, functions)}${entryImport(entry.file)}`
}

/** Imports the entry as `entry`, with the names that the build has read. */
export function entryImport(file: string): string {
  const name = JSON.stringify(file)
  return moduleKindOf(file) === 'module'
    ? `import * as entry from ${name}\n`
    : `import exported from ${name}
import { exportsOf } from '${VIRTUAL}deployed'
const entry = exportsOf(exported)
`
}

/** Declares `entry`, and a function that loads it. As its prototype, the module also shows exports that are assigned later. */
function lateEntry(file: string): string {
  const loaded = moduleKindOf(file) === 'module' ? 'loaded' : 'exportsOf(loaded.default)'
  return `import { exportsOf } from '${VIRTUAL}deployed'
const entry = {}
const run = async () => {
  const loaded = await import(${JSON.stringify(file)})
  Object.setPrototypeOf(entry, ${loaded})
  await loaded.${RUN}?.()
}
`
}

export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name)
}

/**
 * Begins the main module of a platform that calls the default export: exports the other names of the entry, and declares `options` of
 * the function `maker`, which makes the default export.
 *
 * @param names imported from the prelude
 */
export function hostedMain(entry: EntryModule, maker: string, names = 'listening'): string {
  const { file, exports, start, loadsLate } = entry
  const others = exports.filter((name) => name !== 'default' && isIdentifier(name))
  const imports = `import { toFetch } from 'framework/fetch'
import { ${names} } from '${VIRTUAL}prelude'
`
  const known = loadsLate
    ? `${importsOfDeployed(entry, maker)}${imports}${lateEntry(file)}`
    : `${importsOf(entry, maker)}${imports}export { ${others.join(', ')} } from ${JSON.stringify(file)}
const run = entry.${RUN}
`
  return `${known}const options = { entry, run, start: ${JSON.stringify(start)}, listening, create: framework, toFetch }
`
}
