import type { EntryModule } from './platform.ts'

/** Lets the entry find that it is what the process was started with, as it may ask. */
export function asMain({ place }: EntryModule): string {
  return `process.argv[1] = __deployedAt(${JSON.stringify(place)})\n`
}

/** Exports again what the entry exports by name, be it an ES module or CommonJS. */
export function exportsOf({ file, exports }: EntryModule): string {
  const names = exports.filter((name) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name))
  return names.length === 0 ? '' : `export { ${names.join(', ')} } from ${JSON.stringify(file)}\n`
}
