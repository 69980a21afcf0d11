/**
 * Loaded by `--import` before a test file of find-my-way: replaces by our router the
 * entry file of find-my-way, named by `CONFORMANCE_PEER`.
 */
import Module from 'node:module'
import { fileURLToPath } from 'node:url'

const resolver = Module as unknown as {
  _resolveFilename: (this: unknown, ...args: unknown[]) => string
}
const resolve = resolver._resolveFilename
const subject = fileURLToPath(new URL('./subject.js', import.meta.url))

resolver._resolveFilename = function (...args) {
  const file = resolve.apply(this, args)
  return file === process.env['CONFORMANCE_PEER'] ? subject : file
}
