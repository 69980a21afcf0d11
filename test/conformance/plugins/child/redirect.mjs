// Replaces Fastify by the target.
import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { PEER_SUITE: suite, PEER_TARGET: target } = process.env

if (target) {
  const entry = createRequire(join(suite, '_.js')).resolve('fastify')
  const { default: factory } = await import(pathToFileURL(target))
  const module = Object.assign(new Module(entry), {
    exports: factory,
    filename: entry,
    loaded: true,
  })
  createRequire(entry).cache[entry] = module
}
