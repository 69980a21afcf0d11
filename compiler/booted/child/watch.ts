import process from 'node:process'
import { requestHooks } from '../../model/request-hooks.ts'
import { findCaller } from './places.ts'
import type { Recorder } from './recorder.ts'
import type { RouteOptions, Server, ServerOptions } from './server.ts'

/** Arguments of `route` and its shorthands. */
export interface RouteArguments {
  readonly method?: string | readonly string[]
  readonly url?: string
  readonly path?: string
}

/** Returns whether @fastify/swagger is calling: its `onReady` hooks collect the shared schemas that its document refers to. */
function isOfSwagger(): boolean {
  return /[\\/]@fastify[\\/]swagger[\\/]/.test(new Error().stack ?? '')
}

// An `import` would read all exports, one of which loads a WebSocket client: half of what this process itself loads.
const { METHODS } = process.getBuiltinModule('node:http')
/** Methods that declare routes. */
const declaring: readonly string[] = ['route', 'all', ...METHODS.map((name) => name.toLowerCase())]

/**
 * Reports every relevant call of an instance to `recorder`. The instance behaves normally, but doesn't listen
 * and doesn't run `onReady` and `onListen` hooks.
 */
export function watch(server: Server, recorder: Recorder): void {
  // The original, so that the recorder's own call isn't recorded.
  const { register } = server
  server.addHook('onRoute', function (this: Server, route: RouteOptions) {
    recorder.noteRoute(this, route)
  } as never)
  server.addHook('onRegister', ((child: Server) => {
    recorder.noteChild(Object.getPrototypeOf(child) as Server, child)
  }) as never)
  around('addHook', (instance, [name, hook], call) => {
    const isSkipped = name === 'onListen' || (name === 'onReady' && !isOfSwagger())
    if (isSkipped) return instance
    const caller = findCaller()
    if (name === 'onRoute') return call(name, recorder.hooks.watchOnRoute(hook, caller))
    const result = call()
    if (requestHooks.includes(String(name)))
      instance.after(() => recorder.hooks.noteHook(instance, String(name), hook, caller))
    return result
  })
  before('decorate', (_, name) => recorder.noteDecorator(String(name)))
  before('ready', () => recorder.captureLast(server, register))
  before('addSchema', (instance, schema) => recorder.noteSchema(instance, schema))
  around('register', (_, [plugin, options], call) => {
    recorder.noteCall()
    recorder.notePlugin(plugin, options)
    return call()
  })
  before('setValidatorCompiler', (instance) => recorder.noteCompiler(instance, 'validatorCompiler'))
  before('setSerializerCompiler', (instance) =>
    recorder.noteCompiler(instance, 'serializerCompiler'),
  )
  before('setSchemaController', (instance, controller) => {
    const { compilersFactory = {} } = (controller ?? {}) as NonNullable<
      ServerOptions['schemaController']
    >
    if (compilersFactory.buildValidator) recorder.noteCompiler(instance, 'validatorCompiler')
    if (compilersFactory.buildSerializer) recorder.noteCompiler(instance, 'serializerCompiler')
  })
  around('listen', (instance, args) => {
    // Code after `listen` may create further instances. Outside of the sandbox, it belongs to a running server.
    if (!recorder.isSandboxed) {
      recorder.noteListening()
      return new Promise(() => undefined)
    }
    const [host, port] = ['127.0.0.1', 3000]
    const address = `http://${host}:${port}`
    const listening = instance.ready().then(() => {
      instance.server.address = () => ({ address: host, family: 'IPv4', port })
      recorder.noteListening()
      return address
    })
    const callback = args.find((one) => typeof one === 'function')
    if (callback === undefined) return listening
    const done = callback as (error: unknown, address?: string) => void
    listening.then(() => done(null, address), done)
    return undefined
  })
  // `onRoute` hooks get the whole URL, but the declared one matters for `/` and for explicit HEAD routes.
  for (const method of declaring) {
    around(method, (_, [first], call) => {
      const args = typeof first === 'object' ? (first as RouteArguments) : { url: String(first) }
      return recorder.declare(method === 'route' ? args : { ...args, method }, call)
    })
  }

  function before(name: string, act: (instance: Server, first: unknown) => void): void {
    around(name, (instance, [first], call) => {
      act(instance, first)
      return call()
    })
  }

  /** Replaces a method. `act` gets the instance and the arguments of a call, and a function that makes it, with other arguments if given. */
  function around(
    name: string,
    act: (
      instance: Server,
      args: readonly unknown[],
      call: (...others: unknown[]) => unknown,
    ) => unknown,
  ): void {
    const methods = server as unknown as Record<
      string,
      ((...args: unknown[]) => unknown) | undefined
    >
    const method = methods[name]
    if (method === undefined) return
    methods[name] = function (this: Server, ...args) {
      return act(this, args, (...others) => method.apply(this, others.length > 0 ? others : args))
    }
  }
}
