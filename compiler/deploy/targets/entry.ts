import type { EntryModule } from './platform.ts'
import { LOCATE } from './environment.ts'

/** Name of the function that an entry exports if its statements were moved into one. */
export const RUN = '__runEntry'

/** Makes the entry the main module of the process, for code that checks `process.argv[1]`. */
export function asMain({ path }: EntryModule): string {
  return `process.argv[1] = ${LOCATE}(${JSON.stringify(path)})\n`
}

/** Re-exports the named exports of the entry. */
export function exportsOf({ file, exports }: EntryModule): string {
  const names = exports.filter((name) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name))
  return names.length === 0 ? '' : `export { ${names.join(', ')} } from ${JSON.stringify(file)}\n`
}
