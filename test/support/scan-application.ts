/** Boots the application of an entry file, in a process in which `record()` has wrapped the factory. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Recording } from './scan-recording.ts'
import { isCommonJs } from './scan-resolve.ts'

const require = createRequire(import.meta.url)

type Exports = Record<string, unknown> | ((...args: unknown[]) => unknown)

/**
 * @param mode what the entry exports, where it is not a factory function: `plugin`, `factory`, `class`
 * @param name of the export
 */
export async function bootApplication(
  entry: string,
  mode: string | undefined,
  recording: Recording,
  name: string = 'default',
): Promise<FastifyInstance> {
  const exported = (
    isCommonJs(entry) ? require(entry) : await import(pathToFileURL(entry).href)
  ) as Exports
  const last = recording.roots.at(-1)
  if (last !== undefined && mode === undefined) return last
  const named = exported as Record<string, unknown>
  const inner = (named['default'] as Record<string, unknown> | undefined)?.['default']
  const main =
    (name === 'default' ? (inner ?? named[name]) : named[name]) ??
    Object.values(named)[0] ??
    exported
  if (mode === 'plugin') {
    const factory = require(process.env['SCAN_FASTIFY'] ?? 'fastify') as () => FastifyInstance
    const instance = factory()
    await instance.register(main as never)
    return instance
  }
  if (mode === 'class') new (main as new () => object)()
  else await (main as () => unknown)()
  return recording.roots.at(-1) as FastifyInstance
}
