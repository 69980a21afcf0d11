/** Pieces of prelude and main modules. */
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
import { ${functions} } from '${VIRTUAL}runtime'
import * as entry from ${JSON.stringify(file)}
`
}

/** Re-exports the named exports of the entry. */
export function exportsOf({ file, exports }: EntryModule): string {
  const names = exports.filter((name) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name))
  return names.length === 0 ? '' : `export { ${names.join(', ')} } from ${JSON.stringify(file)}\n`
}
