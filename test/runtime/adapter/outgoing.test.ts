/** Answers that wait for older ones, and an `end` of other code. `head.test.ts` has the bytes of single answers. */
import assert from 'node:assert/strict'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { assertSameOnConnections } from '../../support/connections.ts'
import { exchange, getRaw, Wire } from '../../support/wire.ts'

test('requests that are all there before the first answer, and older ones', () =>
  assertSameOnConnections({
    build(app, note) {
      app.get('/:time', async (request, reply) => {
        const { time } = request.params as { time: string }
        reply.raw.on('finish', () => note('finish', time))
        await new Promise((resolve) => setTimeout(resolve, Number(time)))
        return `after ${time}`
      })
    },
    async talk({ port, note }) {
      const wire = new Wire(port)
      for (const time of [20, 1, 10, 0]) wire.get(`/${time}`)
      wire.get('/5', 'Connection: close')
      note(await wire.end())
      note(await exchange(port, 'GET /1 HTTP/1.0', 'Host: a.test', '', ''))
    },
  }))

test('an `end` added to the class of responses is called for each answer', async () => {
  const prototype = ServerResponse.prototype
  const own = Object.getOwnPropertyDescriptor(prototype, 'end')
  assert.equal(own, undefined)
  let heard = 0
  const { end } = prototype
  const patch = (): void => {
    prototype.end = function (this: ServerResponse<IncomingMessage>, ...args: [string, 'utf8']) {
      heard += 1
      return end.apply(this, args)
    } as typeof end
  }
  const restore = (): void => void Reflect.deleteProperty(prototype, 'end')
  for (const when of ['before', 'after']) {
    await assertSameOnConnections({
      build(app) {
        if (when === 'before') patch()
        app.get('/', () => Promise.resolve(when))
      },
      async talk({ port, note }) {
        if (when === 'after') patch()
        note(await getRaw(port, '/'))
        restore()
      },
    })
  }
  assert.equal(heard, 4)
})
