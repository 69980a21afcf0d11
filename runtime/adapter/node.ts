// STUB
import { createRequire } from 'node:module'
import type { RawServer } from '../model.ts'
const lib = createRequire(import.meta.url)('fastify/lib/server.js')
export function createServer(
  options: object,
  dispatch: unknown,
): { server: RawServer; listen: never } {
  return lib.createServer(options, dispatch)
}
export function compileValidateHTTPVersion(options: object): (version: string) => boolean {
  return lib.compileValidateHTTPVersion(options)
}
export const fsymbols: Record<string, symbol> = createRequire(import.meta.url)(
  'fastify/lib/symbols.js',
)
