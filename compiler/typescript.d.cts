/** `packaging/typescript.js` makes it: as much of TypeScript as the sources of the compiler name. */
import type { ts as all } from 'ts-morph'
export { ts } from 'ts-morph'
/** The rest of it, which takes a quarter of a second to load. */
export function loadAll(): typeof all
