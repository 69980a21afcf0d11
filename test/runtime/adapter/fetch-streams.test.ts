/** Streams behind `framework/fetch`, while the application uses the response: they're sent as on Node. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import framework from 'framework'
import { toFetch } from 'framework/fetch'

/** Each way to use the response while it takes a stream. */
const meddlers: Readonly<
  Record<string, (raw: ServerResponse, seen: string[], stream: Readable) => void>
> = {
  'a pipe that writes at once': (raw, seen, stream) => {
    const { pipe } = stream
    stream.pipe = (to, options) => {
      raw.on('finish', () => seen.push(String(raw.getHeader('x-a'))))
      to.write('at once')
      return pipe.call(stream, to, options) as typeof to
    }
  },
  'a stream that the application pauses': (_raw, seen, stream) => {
    stream.once('data', () => {
      stream.pause()
      setTimeout(() => (seen.push(`paused: ${stream.isPaused()}`), stream.resume()), 60)
    })
  },
  'a header that is invalid': (_raw, seen, stream) => {
    stream.on('close', () => seen.push(`destroyed: ${stream.destroyed}`))
  },
  'replaced write and end': (raw, seen) => {
    for (const name of ['write', 'end'] as const) {
      const original = raw[name] as (...args: unknown[]) => unknown
      Object.assign(raw, {
        [name]: (...args: unknown[]) => (seen.push(name), original.apply(raw, args)),
      })
    }
  },
  'a listener that comes late': (raw, seen) =>
    setTimeout(
      () => raw.on('finish', () => seen.push('finish')).on('close', () => seen.push('close')),
      40,
    ),
  'a destroyed response': (raw, seen) =>
    setTimeout(() => raw.on('close', () => seen.push('close')).destroy(), 40),
  'an answer in between': (raw, seen) =>
    setTimeout(() => raw.end('!', () => seen.push('ended')), 40),
}
for (const [what, meddle] of Object.entries(meddlers))
  test(`a stream is sent as on Node: ${what}`, async () => {
    const outcome = async (
      app: ReturnType<typeof framework>,
      get: () => Promise<Response>,
    ): Promise<unknown> => {
      const seen: string[] = []
      app.addHook('onResponse', async () => void seen.push('onResponse'))
      app.get('/', (_request, reply) => {
        const parts = async function* () {
          for (const part of ['a', 'b', 'c']) {
            await sleep(25)
            yield part
          }
        }
        const stream = Readable.from(parts(), { objectMode: false })
        stream.on('close', () => seen.push('source'))
        meddle(reply.raw, seen, stream)
        const isInvalid = what.includes('invalid')
        reply.header('x-a', isInvalid ? 'é\n' : 'b').send(stream)
      })
      await app.ready()
      const text = await get()
        .then(async (answer) => [answer.headers.get('x-a'), await answer.text()])
        .catch(() => 'cut off')
      await sleep(100)
      await app.close()
      return [text, seen.sort()]
    }
    const byNode = (app: ReturnType<typeof framework>): Promise<unknown> =>
      outcome(app, async () => fetch(await app.listen({ port: 0 })))
    const expected = await byNode(fastify() as never)
    const app = framework()
    assert.deepEqual(
      await outcome(app, () => toFetch(app)(new Request('http://a.test/'))),
      expected,
    )
    assert.deepEqual(await byNode(framework()), expected)
  })
