import { METHODS } from 'node:http'
import type { RouteOptions, Server, ServerOptions } from './server.ts'

/** Who is told what happens to an instance and to those inside it. */
export interface Notes {
  route(server: Server, route: RouteOptions): void
  child(parent: Server, child: Server): void
  schema(server: Server, schema: unknown): void
  /** Something is called that may explain what could not be followed. */
  call(): void
  compiler(server: Server, which: 'validator' | 'serializer'): void
  /** The application is asked to get ready. */
  booting(server: Server, register: Server['register']): void
  /** The application is asked to listen. */
  listening(): void
  /** Runs `declare`, a method that declares a route. */
  declaring(given: RouteGiven, declare: () => unknown): unknown
}

/** What `route` and its short forms are given. */
export interface RouteGiven {
  readonly method?: string | readonly string[]
  readonly url?: string
  readonly path?: string
}

type Declare = (this: Server, ...args: unknown[]) => unknown

/** The methods of an instance that declare routes. */
const declaring: readonly string[] = ['route', 'all', ...METHODS.map((name) => name.toLowerCase())]

/**
 * Lets `notes` know of everything that an instance is asked to do. The instance does it all the same, but that it does not
 * listen, and has no hooks of a running server.
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
      // What comes after it belongs to a running server.
      return new Promise(() => undefined)
    },
  }
  Object.assign(server, methods)
  for (const name of declaring) watchDeclaring(server, name, notes)
}

/** Hooks are told the whole URL; what it was made of matters for `/`, and who has asked for a HEAD route. */
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
