import { nodeModule } from '../platform/index.ts'

/**
 * Loads CommonJS synchronously when needed, hidden from bundlers. The CommonJS build of this package uses the
 * module's own `require` instead.
 *
 * @param base URL of the file to resolve from
 */
export function requireFrom(base: string, id: string): unknown {
  return nodeModule('node:module').createRequire(base)(id)
}
