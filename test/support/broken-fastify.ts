/** Fastify with one defect for each thing that the parity grid compares. */
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'

export default function brokenFastify(options: FastifyServerOptions): FastifyInstance {
  // Status and body: query strings never become numbers.
  const instance = fastify({ ...options, ajv: { customOptions: { coerceTypes: false } } })

  // Headers.
  instance.addHook('onSend', async (request, reply) => {
    if (request.method === 'DELETE') reply.header('x-broken', 'yes')
  })

  // Hooks, seen by the journal alone.
  const addHook: unknown = Reflect.get(instance, 'addHook')
  Object.assign(instance, {
    addHook(this: FastifyInstance, ...args: unknown[]): FastifyInstance {
      return args[0] === 'onError'
        ? this
        : Reflect.apply(addHook as () => FastifyInstance, this, args)
    },
  })
  return instance
}
