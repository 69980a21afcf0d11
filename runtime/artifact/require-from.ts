/**
 * Loads CommonJS when it is needed, synchronously, because the factory is; so no bundler sees it. In the CommonJS build
 * of this package it is that module's own `require`.
 *
 * @param base URL of the file that `id` is seen from
 */
import { nodeModule } from '../platform/index.ts'

export function requireFrom(base: string, id: string): unknown {
  return nodeModule('node:module').createRequire(base)(id)
}
