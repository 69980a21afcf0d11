import { METHODS } from 'node:http'
import type { RouteOptions, Server, ServerOptions } from './server.ts'

/** Callbacks for what happens to an instance and its children. */
export interface Notes {
  route(server: Server, route: RouteOptions): void
  child(parent: Server, child: Server): void
  schema(server: Server, schema: unknown): void
  /** A method was called that may explain what the scan couldn't follow. */
  call(): void
  compiler(server: Server, which: 'validator' | 'serializer'): void
  /** The application calls `ready`. */
  booting(server: Server, register: Server['register']): void
  /** The application calls `listen`. */
  listening(): void
  /** Runs `declare`, a method that declares a route. */
  declaring(given: RouteGiven, declare: () => unknown): unknown
}

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
 * Reports every relevant call of an instance to `notes`. The instance behaves normally, but doesn't listen
 * and doesn't run hooks of a running server.
 */
export function watch(server: Server, notes: Notes): void {
  const { addHook, addSchema, register, setValidatorCompiler, setSerializerCompiler } = server
  const { ready, setSchemaController } = server
  addHook.call(server, 'onRoute', function (this: Server, route: RouteOptions) {
    notes.route(this, route)
  } as never)
  addHook.call(server, 'onRegister', ((child: Server) => {
    notes.child(Object.getPrototypeOf(child) as Server, child)
  }) as never)
  const methods: Partial<Server> & ThisType<Server> = {
    addHook(name, hook) {
      return name === 'onReady' || name === 'onListen' ? this : addHook.call(this, name, hook)
    },
    ready(...args) {
      notes.booting(server, register)
      return ready.apply(this, args)
    },
    addSchema(schema) {
      notes.schema(this, schema)
      return addSchema.call(this, schema)
    },
    register(...args) {
      notes.call()
      return register.apply(this, args)
    },
    setValidatorCompiler(compiler) {
      notes.compiler(this, 'validator')
      return setValidatorCompiler.call(this, compiler)
    },
    setSerializerCompiler(compiler) {
      notes.compiler(this, 'serializer')
      return setSerializerCompiler.call(this, compiler)
    },
    setSchemaController(controller) {
      const { buildValidator, buildSerializer } =
        (controller as ServerOptions['schemaController'])?.compilersFactory ?? {}
      if (buildValidator) notes.compiler(this, 'validator')
      if (buildSerializer) notes.compiler(this, 'serializer')
      return setSchemaController.call(this, controller)
    },
    listen() {
      notes.listening()
      // Code after `listen` belongs to a running server.
      return new Promise(() => undefined)
    },
  }
  Object.assign(server, methods)
  for (const name of declaring) watchDeclaring(server, name, notes)
}

/**
 * Records the arguments of declarations: hooks get the whole URL, but the original matters for `/` and for
 * explicit HEAD routes.
 */
function watchDeclaring(server: Server, name: string, notes: Notes): void {
  const holder = server as unknown as Record<string, Declare | undefined>
  const declare = holder[name]
  if (declare === undefined) return
  holder[name] = function (this: Server, ...args) {
    const [first] = args
    const given = typeof first === 'object' ? (first as RouteGiven) : { url: String(first) }
    return notes.declaring(name === 'route' ? given : { ...given, method: name }, () =>
      declare.apply(this, args),
    )
  }
}
