/** The parts of TypeScript that the compiler uses. `packaging/typescript.js` generates the module. */
import type { ts as all } from 'ts-morph'
export { ts } from 'ts-morph'
/** Loads all of TypeScript, which takes a quarter of a second. */
export function loadAll(): typeof all
