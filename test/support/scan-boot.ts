/**
 * Boots one application on the real Fastify and prints what it declares, as JSON:
 * `node scan-boot.js <entry> [plugin | factory <name> | class <name>]`. Nothing listens, and no request is sent.
 */
import { existsSync } from 'node:fs'
import { createRequire, Module, register } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { BootedContext, BootedRoute } from './scan-oracle.ts'
import { transpile } from './scan-hooks.ts'
import { plainOf } from './scan-plain.ts'
import { candidatesOf, isCommonJs, peerOf } from './scan-resolve.ts'

const require = createRequire(import.meta.url)
const [, , entry = '', mode, name = 'default'] = process.argv

interface Internals {
  _extensions: Record<
    string,
    (module: { _compile(code: string, file: string): void }, file: string) => void
  >
  _resolveFilename(
    this: void,
    specifier: string,
    parent: { filename?: string } | undefined,
    ...rest: unknown[]
  ): string
}

register('./scan-hooks.js', import.meta.url)
extendRequire(Module as unknown as Internals)

const schemaAtReady = new Map<object, unknown>()
const routes: { route: BootedRoute; schema: object | undefined; server: object }[] = []
const roots: FastifyInstance[] = []
const children = new Map<object, FastifyInstance[]>()
recordRoutes()
wrapFactory()

const exported = (
  isCommonJs(entry) ? require(entry) : await import(pathToFileURL(entry).href)
) as Exports
const app = await applicationOf(exported)
await app.ready()
process.stdout.write(JSON.stringify(contextOf(app)), () => process.exit(0))

type Exports = Record<string, unknown> | ((...args: unknown[]) => unknown)

async function applicationOf(given: Exports): Promise<FastifyInstance> {
  const last = roots.at(-1)
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
  return roots.at(-1) as FastifyInstance
}

function contextOf(instance: FastifyInstance): BootedContext {
  return {
    prefix: instance.prefix,
    schemas: schemaAtReady.get(instance) ?? plainOf(instance.getSchemas()),
    routes: routes
      .filter(({ server }) => server === instance)
      .map(({ route, schema }) => ({ ...route, schema: schema && schemaAtReady.get(schema) })),
    children: (children.get(instance) ?? []).map(contextOf),
  }
}

/** Every route makes one `Context`, both variants of `/` included. */
function recordRoutes(): void {
  const contextFile = require.resolve('fastify/lib/context.js')
  interface Given {
    schema?: object
    config: { url?: string; method?: string | string[] }
    server: object
    isFastify?: boolean
    exposeHeadRoute?: boolean
  }
  const Original = require(contextFile) as new (given: Given) => object
  function Context(given: Given): object {
    const { config, schema, server, isFastify, exposeHeadRoute } = given
    // HEAD twins follow from the flag.
    if (config.url !== undefined && config.method !== undefined && isFastify !== true) {
      const methods = [config.method].flat()
      const route = {
        methods,
        url: config.url,
        exposeHeadRoute: exposeHeadRoute === true,
        schema: undefined,
      }
      routes.push({ route, schema, server })
    }
    return new Original(given)
  }
  Context.prototype = Original.prototype as object
  const cached = require.cache[contextFile]
  if (cached !== undefined) cached.exports = Context

  const schemas = require('fastify/lib/schemas.js') as {
    normalizeSchema(schema: object, options: unknown): unknown
  }
  const { normalizeSchema } = schemas
  schemas.normalizeSchema = (schema, options) => {
    // All at once: compiling the first one may change objects that others share.
    if (schemaAtReady.size === 0) {
      for (const route of routes) {
        if (route.schema) schemaAtReady.set(route.schema, plainOf(route.schema))
      }
      for (const instance of [...roots, ...[...children.values()].flat()]) {
        schemaAtReady.set(instance, plainOf(instance.getSchemas()))
      }
    }
    return normalizeSchema(schema, options)
  }
}

function wrapFactory(): void {
  const file = require.resolve('fastify')
  const original = require(file) as (options?: unknown) => FastifyInstance
  const wrapped = (options?: unknown): FastifyInstance => {
    const instance = original(options)
    roots.push(instance)
    instance.addHook('onRegister', (child) => {
      const parent = Object.getPrototypeOf(child) as object
      children.set(parent, [...(children.get(parent) ?? []), child])
    })
    instance.listen = (() => instance.ready()) as never
    return instance
  }
  Object.assign(wrapped, original, { default: wrapped, fastify: wrapped, framework: wrapped })
  const cached = require.cache[file]
  if (cached !== undefined) cached.exports = wrapped
  Object.assign(globalThis, { [Symbol.for('scan.fastify')]: wrapped })
}

/** `require` of TypeScript, with the sample's own ways to name its files. */
function extendRequire(internals: Internals): void {
  for (const extension of ['.ts', '.cts']) {
    internals._extensions[extension] = (module, file) =>
      module._compile(transpile(file, 'cjs'), file)
  }
  const original = internals._resolveFilename
  internals._resolveFilename = (specifier, parent, ...rest) => {
    const importer = parent?.filename
    const found =
      importer === undefined || importer.includes('node_modules')
        ? undefined
        : candidatesOf(specifier, importer).find((one) => existsSync(one))
    return found ?? original(peerOf(specifier), parent, ...rest)
  }
}
