// STUB
import { createRequire } from 'node:module'
import type { RawRequest } from './model.ts'
const lib = createRequire(import.meta.url)('fastify/lib/reqIdGenFactory.js')
export function createRequestIdGenerator(
  header: string | false,
  own?: (raw: RawRequest) => string,
): (raw: RawRequest) => string {
  return lib.reqIdGenFactory(header, own)
}
