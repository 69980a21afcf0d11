/**
 * The thread of a transport of pino, as `thread-stream` starts it, where strings may not be evaluated: the package by which
 * it imports the transport makes its `import` of a string.
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
  require.cache[file] = module as unknown as NodeJS.Module
}
ofThreads('./lib/worker.js')
