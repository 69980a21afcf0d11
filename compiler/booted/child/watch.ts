import { METHODS } from 'node:http'
import type { Recorder } from './recorder.ts'
import type { RouteOptions, Server, ServerOptions } from './server.ts'

/** Arguments of `route` and its shorthands. */
export interface RouteGiven {
  readonly method?: string | readonly string[]
  readonly url?: string
  readonly path?: string
}

type Declare = (this: Server, ...args: unknown[]) => unknown

/** Methods that declare routes. */
const declaring: readonly string[] = ['route', 'all', ...METHODS.map((name) => name.toLowerCase())]

/**
 * Reports every relevant call of an instance to `recorder`. The instance behaves normally, but doesn't listen
 * and doesn't run hooks of a running server.
 */
export function watch(server: Server, recorder: Recorder): void {
  const { addHook, addSchema, register, setValidatorCompiler, setSerializerCompiler } = server
  const { ready, setSchemaController } = server
  addHook.call(server, 'onRoute', function (this: Server, route: RouteOptions) {
    recorder.noteRoute(this, route)
  } as never)
  addHook.call(server, 'onRegister', ((child: Server) => {
    recorder.noteChild(Object.getPrototypeOf(child) as Server, child)
  }) as never)
  const methods: Partial<Server> & ThisType<Server> = {
    addHook(name, hook) {
      return name === 'onReady' || name === 'onListen' ? this : addHook.call(this, name, hook)
    },
    ready(...args) {
      recorder.captureLast(server, register)
      return ready.apply(this, args)
    },
    addSchema(schema) {
      recorder.noteSchema(this, schema)
      return addSchema.call(this, schema)
    },
    register(...args) {
      recorder.noteCall()
      return register.apply(this, args)
    },
    setValidatorCompiler(compiler) {
      recorder.noteCompiler(this, 'validatorCompiler')
      return setValidatorCompiler.call(this, compiler)
    },
    setSerializerCompiler(compiler) {
      recorder.noteCompiler(this, 'serializerCompiler')
      return setSerializerCompiler.call(this, compiler)
    },
    setSchemaController(controller) {
      const { buildValidator, buildSerializer } =
        (controller as ServerOptions['schemaController'])?.compilersFactory ?? {}
      if (buildValidator) recorder.noteCompiler(this, 'validatorCompiler')
      if (buildSerializer) recorder.noteCompiler(this, 'serializerCompiler')
      return setSchemaController.call(this, controller)
    },
    listen() {
      recorder.noteListening()
      // Code after `listen` belongs to a running server.
      return new Promise(() => undefined)
    },
  }
  Object.assign(server, methods)
  for (const name of declaring) watchDeclaring(server, name, recorder)
}

/**
 * Records the arguments of declarations: hooks get the whole URL, but the original matters for `/` and for
 * explicit HEAD routes.
 */
function watchDeclaring(server: Server, name: string, recorder: Recorder): void {
  const holder = server as unknown as Record<string, Declare | undefined>
  const declare = holder[name]
  if (declare === undefined) return
  holder[name] = function (this: Server, ...args) {
    const [first] = args
    const given = typeof first === 'object' ? (first as RouteGiven) : { url: String(first) }
    return recorder.declare(name === 'route' ? given : { ...given, method: name }, () =>
      declare.apply(this, args),
    )
  }
}
