import type { Reproduction } from '../reproduction.ts'

/** Headers, hooks and trailers of answers. */
export const replies: readonly Reproduction[] = [
  {
    advisory: 'fastify 5',
    what: 'a list that is given as `set-cookie` grows by the cookies of each client',
    async attack({ create, ask }) {
      const app = create()
      const common = ['theme=dark', 'lang=en']
      app.get('/:user', (request, reply) => {
        const { user } = request.params as { user: string }
        reply.header('set-cookie', common).header('set-cookie', `session=${user}`)
        reply.send(reply.getHeader('set-cookie'))
      })
      await ask(app, '/alice')
      await ask(app, '/mallory')
    },
    fastify: [
      '200 ["theme=dark","lang=en","session=alice"]',
      '200 ["theme=dark","lang=en","session=alice","session=mallory"]',
    ],
    framework: [
      '200 ["theme=dark","lang=en","session=alice"]',
      '200 ["theme=dark","lang=en","session=mallory"]',
    ],
  },
]
