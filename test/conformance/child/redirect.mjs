// Replaces the suite's own entry file by the target.
import Module, { createRequire, register } from 'node:module'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const { PEER_SUITE: suite, PEER_TARGET: target } = process.env

if (target) {
  const entry = join(suite, 'fastify.js')
  const subject = fileURLToPath(new URL('./subject.cjs', import.meta.url))
  const namespace = await import(pathToFileURL(target))
  globalThis[Symbol.for('conformance.target')] = namespace.default

  const resolve = Module._resolveFilename
  Module._resolveFilename = function (...args) {
    const file = resolve.apply(this, args)
    return file === entry ? subject : file
  }
  // The hook costs a thread: only where there are ES modules to test.
  if (readdirSync(dirname(process.argv[1])).some((file) => file.endsWith('.mjs'))) {
    register('./esm-hooks.mjs', import.meta.url, {
      data: { entry: pathToFileURL(entry).href, subject: pathToFileURL(subject).href },
    })
  }
  globalThis[Symbol.for('conformance.symbols')] = createRequire(entry)('./lib/symbols.js')
}
