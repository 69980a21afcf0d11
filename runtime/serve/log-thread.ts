/**
 * Worker thread of a pino transport, for processes that don't allow `eval`. The package `real-require`, which `thread-stream` imports
 * transports with, evaluates a string. This file replaces that package, then runs the worker of `thread-stream`.
 */
import { createRequire } from 'node:module'

const ofPino = createRequire(createRequire(import.meta.url).resolve('pino'))
const ofThreads = createRequire(ofPino.resolve('thread-stream'))

const realRequire = {
  realImport: (path: string): Promise<unknown> => import(path),
  realRequire: (path: string): unknown => ofThreads(path),
}

for (const require of [ofPino, ofThreads]) {
  const file = require.resolve('real-require')
  const module = { id: file, filename: file, loaded: true, exports: realRequire }
  require.cache[file] = module as NodeJS.Module
}
ofThreads('./lib/worker.js')
