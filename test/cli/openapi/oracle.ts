/**
 * Boots one application on the real Fastify and prints its document, as the real @fastify/swagger writes it:
 * `node oracle.js <entry> <mode> [options]`. With options, the plugin is there before anything is declared; without, the
 * application registers it, and what it gives the plugin is taken without functions, which no build knows.
 */
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { bootApplication } from '../../support/scan-application.ts'
import { record, wrapFactory } from '../../support/scan-recording.ts'

const require = createRequire(import.meta.url)
const [, , entry = '', mode = '', options] = process.argv

type Plugin = (instance: FastifyInstance, options: object, done: () => void) => void

const recording = record()
const swagger = require('@fastify/swagger') as Plugin
wrapFactory(options === undefined ? withoutFunctions : withPlugin)
const app = (await bootApplication(
  entry,
  mode === '' ? undefined : mode,
  recording,
)) as unknown as {
  ready(): Promise<void>
  swagger(): object
}
await app.ready()
process.stdout.write(JSON.stringify(app.swagger()), () => process.exit(0))

function withPlugin(instance: FastifyInstance): void {
  swagger(instance, JSON.parse(options as string) as object, () => undefined)
}

function withoutFunctions(instance: FastifyInstance): void {
  const register = instance.register as unknown as (...args: unknown[]) => unknown
  const meta = Symbol.for('plugin-meta')
  const changed = function (this: unknown, plugin: Marked, given: object, ...rest: unknown[]) {
    const isSwagger = (plugin.default ?? plugin)[meta]?.name === '@fastify/swagger'
    const data = isSwagger ? (JSON.parse(JSON.stringify(given ?? {})) as object) : given
    return register.call(this, plugin, data, ...rest)
  }
  Object.assign(instance, { register: changed })
}

interface Marked {
  readonly default?: Marked
  readonly [key: symbol]: { readonly name?: string } | undefined
}
