/** Preloaded with `--import`: makes `framework` resolve to the real Fastify in this process. */
import { createRequire, register } from 'node:module'
import './oracle-heads.ts'
import { peers } from './oracle-hooks.ts'

register('./oracle-hooks.js', import.meta.url)

// `require` doesn't call the hooks.
const loader = createRequire(import.meta.url)('node:module') as {
  _resolveFilename: (this: unknown, request: string, ...rest: unknown[]) => string
}
const resolveFilename = loader._resolveFilename
loader._resolveFilename = function (request, ...rest) {
  return resolveFilename.call(this, peers[request] ?? request, ...rest)
}
