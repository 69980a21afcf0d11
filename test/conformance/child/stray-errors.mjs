// Blames stray errors on the block that caused them. tap 16 does so by the package async-hook-domain, which on Node 20
// ends the process at an unhandled rejection. tap creates a domain within each block's own asynchronous resource, so
// what an AsyncLocalStorage holds there is seen by all that the block starts.
import { AsyncLocalStorage } from 'node:async_hooks'
import Module, { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(join(process.env.PEER_SUITE, 'test/_.js'))
const tapFile = require.resolve('tap')
const domainFile = createRequire(createRequire(tapFile).resolve('libtap')).resolve(
  'async-hook-domain',
)
const scope = new AsyncLocalStorage()

class Domain {
  constructor(onerror) {
    this.onerror = onerror
    scope.enterWith(this)
  }

  destroy() {}
}

require.cache[domainFile] = Object.assign(new Module(domainFile), { exports: Domain, loaded: true })

for (const type of ['uncaughtException', 'unhandledRejection']) {
  process.on(type, (error) => {
    const blame =
      scope.getStore()?.onerror ?? ((error) => require.cache[tapFile].exports.threw(error))
    setImmediate(() => {
      try {
        blame(error, type)
      } catch {
        // No test has started yet.
        console.error(error)
        process.exit(1)
      }
    })
  })
}
