/** Records what applications declare on the real Fastify, to which `framework` resolves once this module is loaded. */
import { existsSync } from 'node:fs'
import { createRequire, Module, register } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { requestHooks } from '../../compiler/model/request-hooks.ts'
import type { BootedContext, BootedHooks, BootedRoute, BootedUse } from './scan-oracle.ts'
import { transpile } from './scan-hooks.ts'
import { plainOf } from './plain-values.ts'
import { candidatesOf, peerOf } from './scan-resolve.ts'

const require = createRequire(import.meta.url)

/** The name under which Fastify is installed. */
const server = process.env['SCAN_FASTIFY'] ?? 'fastify'

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

/** Everything that one application has declared so far. */
export class Recording {
  readonly roots: FastifyInstance[] = []
  readonly children: Map<object, FastifyInstance[]> = new Map()
  readonly routes: { route: BootedRoute; schema: object | undefined; server: object }[] = []
  /** Routes that Fastify has added to others. */
  readonly twins: { url: string; schema: object | undefined }[] = []
  /** The contexts of all routes. They have the hooks once the application is ready. */
  readonly contexts: { readonly title: string; readonly context: object }[] = []
  readonly uses: BootedUse[] = []
  readonly schemaAtReady: Map<object, unknown> = new Map()

  /** Remembers schemas as they are now, before compiling one of them changes objects that others share. */
  freeze(): void {
    if (this.schemaAtReady.size > 0) return
    for (const { schema } of [...this.routes, ...this.twins]) {
      if (schema) this.schemaAtReady.set(schema, plainOf(schema))
    }
    for (const instance of [...this.roots, ...[...this.children.values()].flat()]) {
      this.schemaAtReady.set(instance, plainOf(instance.getSchemas()))
    }
  }

  contextOf(instance: FastifyInstance): BootedContext {
    return {
      prefix: instance.prefix,
      schemas: this.schemaAtReady.get(instance) ?? plainOf(instance.getSchemas()),
      routes: this.routes
        .filter(({ server }) => server === instance)
        .map(({ route, schema }) => ({ ...route, schema: this.#schemaOf(schema) })),
      children: (this.children.get(instance) ?? []).map((child) => this.contextOf(child)),
    }
  }

  twinSchemas(): { url: string; schema: unknown }[] {
    return this.twins.map(({ url, schema }) => ({ url, schema: this.#schemaOf(schema) }))
  }

  /** Returns the names of the hooks that run for each route, in order, by kind. */
  hooks(): BootedHooks[] {
    return this.contexts.map(({ title, context }) => {
      const lists = context as Readonly<Record<string, readonly Function[] | null | undefined>>
      const names = requestHooks.flatMap((kind) =>
        (lists[kind] ?? []).map(({ name }) => `${kind} ${name.replace(/^(?:bound )+/, '')}`),
      )
      return { title, names: names.filter((name) => !name.endsWith('headRouteOnSendHandler')) }
    })
  }

  #schemaOf(schema: object | undefined): unknown {
    return schema && this.schemaAtReady.get(schema)
  }
}

let current = new Recording()
/** The compilers that Fastify has created by default. */
const defaults = new WeakSet<object>()
/** The contexts of routes that Fastify has added. */
const twins = new WeakSet<object>()
recordRoutes()
recordCompilers()
wrapFactory(recordContexts)

/** Starts the recording of another application. */
export function record(): Recording {
  return (current = new Recording())
}

/** Records routes: each creates a `Context`, including both variants of `/`. */
function recordRoutes(): void {
  const contextFile = require.resolve(`${server}/lib/context.js`)
  interface ContextOptions {
    schema?: object
    config: { url?: string; method?: string | string[] }
    server: object
    isFastify?: boolean
    exposeHeadRoute?: boolean
  }
  const Original = require(contextFile) as new (options: ContextOptions) => object
  function Context(options: ContextOptions): object {
    const { config, schema, server, isFastify, exposeHeadRoute } = options
    // HEAD twins follow from the flag.
    if (config.url !== undefined && isFastify === true) {
      current.twins.push({ url: config.url, schema })
    } else if (config.url !== undefined && config.method !== undefined) {
      const methods = [config.method].flat()
      const route = {
        methods,
        url: config.url,
        exposeHeadRoute: exposeHeadRoute === true,
        schema: undefined,
      }
      current.routes.push({ route, schema, server })
    }
    const made = new Original(options)
    if (config.url !== undefined && config.method !== undefined) {
      const title = `${[config.method].flat().join()} ${config.url}`
      current.contexts.push({ title, context: made })
    }
    if (isFastify === true) twins.add(made)
    return made
  }
  Context.prototype = Original.prototype as object
  const cached = require.cache[contextFile]
  if (cached !== undefined) cached.exports = Context

  const schemas = require(`${server}/lib/schemas.js`) as {
    normalizeSchema(...args: unknown[]): unknown
  }
  const { normalizeSchema } = schemas
  schemas.normalizeSchema = (...args) => {
    current.freeze()
    return normalizeSchema(...args)
  }
}

/** Records which compiler gets which part of which route. */
function recordCompilers(): void {
  for (const name of ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']) {
    const file = createRequire(require.resolve(server)).resolve(name)
    type Build = (...args: unknown[]) => object
    const original = require(file) as () => Build
    const cached = require.cache[file]
    if (cached === undefined) throw new Error(`${name} is not loaded`)
    cached.exports = () => {
      const build = original()
      return (...args: unknown[]) => {
        const compiler = build(...args)
        defaults.add(compiler)
        return compiler
      }
    }
  }
  interface Compiled {
    schema?: Record<string, object>
    config: { url: string; method: string | string[] }
  }
  type Compile = (context: Compiled, compiler: object | undefined, ...rest: unknown[]) => unknown
  const validation = require(`${server}/lib/validation.js`) as Record<string, Compile>
  const follow = (name: string, parts: readonly string[]): void => {
    const original = validation[name] as Compile
    validation[name] = (context, compiler, ...rest) => {
      const { config } = context
      for (const part of parts) {
        const schema = context.schema?.[part]
        const isCompiled = schema && (part !== 'response' || Object.keys(schema).length > 0)
        if (compiler === undefined || !isCompiled || twins.has(context)) continue
        const compiledBy = defaults.has(compiler) ? 'default' : 'own'
        const methods = [config.method].flat()
        current.uses.push({ methods, url: config.url, part, compiledBy })
      }
      return original(context, compiler, ...rest)
    }
  }
  follow('compileSchemasForValidation', ['body', 'headers', 'params', 'querystring'])
  follow('compileSchemasForSerialization', ['response'])
}

function recordContexts(instance: FastifyInstance): void {
  const { roots, children } = current
  roots.push(instance)
  instance.addHook('onRegister', (child) => {
    const parent = Object.getPrototypeOf(child) as object
    children.set(parent, [...(children.get(parent) ?? []), child])
  })
  instance.listen = (() => instance.ready()) as never
}

/** Calls `change` with each instance that the factory creates. */
export function wrapFactory(change: (instance: FastifyInstance) => void): void {
  const file = require.resolve(server)
  const original = require(file) as (options?: unknown) => FastifyInstance
  const wrapped = (options?: unknown): FastifyInstance => {
    const instance = original(options)
    change(instance)
    return instance
  }
  Object.assign(wrapped, original, { default: wrapped, fastify: wrapped, framework: wrapped })
  const cached = require.cache[file]
  if (cached !== undefined) cached.exports = wrapped
  Object.assign(globalThis, { [Symbol.for('scan.fastify')]: wrapped })
}

/** Lets `require` load TypeScript, and resolve the names that a sample's configuration defines. */
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
