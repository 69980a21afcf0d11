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

/** Imports the factory as `framework`, the entry as `entry`, and functions that start applications of a deployment. */
export function importsOf({ factory, file }: EntryModule, functions: string): string {
  return `import framework from '${factory}'
import { ${functions} } from '${VIRTUAL}deployed'
${entryImport(file)}`
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
  const { file, exports, start } = entry
  const others = exports.filter((name) => name !== 'default' && isIdentifier(name))
  return `${importsOf(entry, maker)}import { toFetch } from 'framework/fetch'
import { ${names} } from '${VIRTUAL}prelude'
export { ${others.join(', ')} } from ${JSON.stringify(file)}
const options = { entry, run: entry.${RUN}, start: ${JSON.stringify(start)}, listening, create: framework, toFetch }
`
}
