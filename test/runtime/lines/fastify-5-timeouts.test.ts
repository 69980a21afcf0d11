/** Time limits of `framework/5` compared with those of Fastify 5.12. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import framework5 from 'framework/5'
import { fastify as fastify5 } from 'fastify-5'
import type { Scenario } from '../../support/differential.ts'

type App = Parameters<Scenario['build']>[0]

test('a time limit aborts the signal and answers 503, as on Fastify 5', async () => {
  const run = async (create: unknown): Promise<unknown> => {
    const app = (create as () => App)()
    let reason: unknown
    app.get('/', { handlerTimeout: 5 } as object, async (request) => {
      const { signal } = request as unknown as { signal: AbortSignal }
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      reason = (signal.reason as { code?: string }).code
    })
    app.setNotFoundHandler(() => {})
    app.get('/none', { handlerTimeout: 5 } as object, (_request, reply) => {
      reply.callNotFound()
    })
    const { statusCode, body } = await app.inject('/')
    return { statusCode, body, reason, none: (await app.inject('/none')).body }
  }
  assert.deepEqual(await run(framework5), await run(fastify5))
})

test('a hijacked connection that is idle for too long runs no hooks, as on Fastify 5', async () => {
  const run = async (create: unknown, later: (hijack: () => void) => void): Promise<unknown> => {
    const app = (create as () => App)()
    const noted: unknown[] = []
    app.addHook('onTimeout', async () => void noted.push('timeout'))
    app.get('/', (request, reply) => {
      const { socket } = request.raw
      later(() => {
        reply.hijack()
        const values = Reflect.ownKeys(socket).map((key) => Reflect.get(socket, key) as unknown)
        noted.push(values.some((value) => (value as typeof reply | null)?.request === request))
        // A real time limit could end before the handler starts.
        socket.emit('timeout')
      })
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    await assert.rejects(fetch(url))
    await app.close()
    return noted
  }
  for (const later of [setImmediate, (hijack: () => void) => hijack()])
    for (const create of [fastify5, framework5]) assert.deepEqual(await run(create, later), [false])
})
