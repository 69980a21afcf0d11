/**
 * Boots one application on the real Fastify and prints what it declares, as JSON:
 * `node scan-boot.js <entry> [plugin | factory <name> | class <name>]`. Nothing listens, and no request is sent.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { record } from './scan-recording.ts'
import { isCommonJs } from './scan-resolve.ts'

const require = createRequire(import.meta.url)
const [, , entry = '', mode, name = 'default'] = process.argv

const recording = record()
const exported = (
  isCommonJs(entry) ? require(entry) : await import(pathToFileURL(entry).href)
) as Exports
const app = await applicationOf(exported)
await app.ready()
process.stdout.write(JSON.stringify(recording.contextOf(app)), () => process.exit(0))

type Exports = Record<string, unknown> | ((...args: unknown[]) => unknown)

async function applicationOf(given: Exports): Promise<FastifyInstance> {
  const last = recording.roots.at(-1)
  if (last !== undefined && mode === undefined) return last
  const named = given as Record<string, unknown>
  const inner = (named['default'] as Record<string, unknown> | undefined)?.['default']
  const main =
    (name === 'default' ? (inner ?? named[name]) : named[name]) ?? Object.values(named)[0] ?? given
  if (mode === 'plugin') {
    const factory = require('fastify') as () => FastifyInstance
    const instance = factory()
    await instance.register(main as never)
    return instance
  }
  if (mode === 'class') new (main as new () => object)()
  else await (main as () => unknown)()
  return recording.roots.at(-1) as FastifyInstance
}
