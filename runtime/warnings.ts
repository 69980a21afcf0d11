// STUB
import { createRequire } from 'node:module'
const lib = createRequire(import.meta.url)('fastify/lib/warnings.js')
export function emitWarning(code: string, ...args: unknown[]): void {
  lib.emit(code, ...args)
}
