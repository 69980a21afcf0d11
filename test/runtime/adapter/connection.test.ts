/** What a connection keeps from one response to the next: how long it waits, and what is heard of its end. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import framework from 'framework'
import {
  assertSameOnConnections,
  type ConnectionScenario,
  Wire,
} from '../../support/connections.ts'

const WAIT = 5_000
/** Node adds up to a second to the time that is set, and so do we. */
const MOST = WAIT + 2_500

const second = 'GET /again HTTP/1.1\r\nHost: a.test\r\n'

/** What clients do, each on a connection of its own that has answered before; gives what is compared. */
const clients: Readonly<Record<string, (wire: Wire) => Promise<unknown>>> = {
  async 'waits for nothing'(wire) {
    return fits(await timeToEnd(wire))
  },
  async 'asks now and then'(wire) {
    for (let count = 0; count < 2; count++) {
      await later(WAIT / 2)
      await ask(wire)
    }
    return fits(await timeToEnd(wire))
  },
  async 'asks in parts'(wire) {
    await later(WAIT - 1_500)
    wire.socket.write(second)
    await later(WAIT - 1_500)
    wire.socket.write('Connection: close\r\n\r\n')
    return statusesOf(await wire.end())
  },
  async 'waits for an answer'(wire) {
    wire.get(`/slow/${MOST}`, 'Connection: close')
    return statusesOf(await wire.end())
  },
  async 'goes while it waits for an answer'(wire) {
    wire.get('/abandoned')
    await later(300)
    wire.destroy()
    return 'gone'
  },
  async 'is timed by the handler'(wire) {
    wire.get('/timed')
    return statusesOf(await wire.end())
  },
  async 'asks twice at once'(wire) {
    wire.get('/slow/200')
    wire.get('/again')
    const received = await wire.until(/again[^]*again/)
    return [statusesOf(received), fits(await timeToEnd(wire))]
  },
}

function waits(options: object): ConnectionScenario {
  return {
    options: { keepAliveTimeout: WAIT, ...options },
    build(app) {
      app.get('/first', async () => 'first')
      app.get('/again', async () => 'again')
      app.get('/slow/:ms', async (request) => {
        await later(Number((request.params as { ms: string }).ms))
        return 'slow again'
      })
    },
    async talk({ app, port, note }) {
      const heard: string[] = []
      app.server.on('timeout', (socket) => {
        heard.push('timeout')
        socket.destroy()
      })
      const seen = await Promise.all(
        Object.entries(clients).map(async ([name, talk]) => {
          const wire = new Wire(port)
          await ask(wire, 'first')
          return [name, await talk(wire)]
        }),
      )
      for (const each of seen) note(each)
      note(heard)
    },
  }
}

function withEvents(scenario: ConnectionScenario): ConnectionScenario {
  const heard = new Set<string>()
  return {
    ...scenario,
    build(app, note) {
      heard.clear()
      scenario.build(app, note)
      app.get('/abandoned', async ({ raw }, reply) => {
        for (const event of ['close', 'finish'])
          reply.raw.on(event, () => heard.add(`response ${event}`))
        raw.on('close', () => heard.add('request close'))
        await later(1_000)
        return 'nobody'
      })
      app.get('/timed', ({ raw: { socket } }) => {
        socket.setTimeout(200, () => {
          heard.add('timed')
          socket.destroy()
        })
      })
    },
    async talk(talk) {
      await scenario.talk(talk)
      talk.note([...heard].sort())
    },
  }
}

describe('a connection that is kept', { concurrency: true }, () => {
  test('waits as long as it is told to, and not while it is answered', () =>
    assertSameOnConnections(withEvents(waits({}))))

  test('is timed while it is answered as well, where the application wants that', () =>
    assertSameOnConnections(withEvents(waits({ connectionTimeout: WAIT - 2_000 }))))

  test('waits to the millisecond when it is to wait for less than five seconds', () =>
    assertSameOnConnections({
      options: { keepAliveTimeout: 500 },
      build: (app) => app.get('/first', async () => 'first'),
      async talk({ port, note }) {
        const wire = new Wire(port)
        await ask(wire, 'first')
        const time = await timeToEnd(wire)
        note(time >= 500 && time < 2_500)
      },
    }))

  test('waits no longer than on Node when it is to wait for a part of a second', () =>
    assertSameOnConnections({
      // To which Node adds a second.
      options: { keepAliveTimeout: WAIT - 990 },
      build: (app) => app.get('/first', async () => 'first'),
      async talk({ port, note }) {
        const times = await Promise.all(
          Array.from({ length: 5 }, async (_, i) => {
            await later(200 * i)
            const wire = new Wire(port)
            await ask(wire, 'first')
            return timeToEnd(wire)
          }),
        )
        const shortest = Math.min(...times)
        note(shortest > WAIT - 50 && shortest < WAIT + 950)
      },
    }))

  test('tells a response that the client has gone, whoever has taken listeners away before', () =>
    assertSameOnConnections({
      build(app, note) {
        app.get('/first', async ({ raw: { socket } }) => {
          socket.removeAllListeners('close')
          socket.on('close', () => undefined)
          return 'first'
        })
        app.get('/abandoned', async (_, reply) => {
          const start = performance.now()
          reply.raw.on('close', () => note(performance.now() - start < 1_500))
          await later(2_000)
          return 'nobody'
        })
      },
      async talk({ port }) {
        const wire = new Wire(port)
        await ask(wire, 'first')
        wire.get('/abandoned')
        await later(200)
        wire.destroy()
        await later(2_200)
      },
    }))

  test('is not kept by the process', async () => {
    const app = framework()
    app.get('/first', async () => 'first')
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const wires = Array.from({ length: 3 }, () => new Wire(Number(port)))
    await Promise.all(wires.map((wire) => ask(wire, 'first')))
    await app.close()
    for (const wire of wires) assert.equal(statusesOf(await wire.end()), '200')
  })
})

async function ask(wire: Wire, path = 'again'): Promise<void> {
  wire.received = ''
  wire.get(`/${path}`)
  await wire.until(new RegExp(`\\r\\n${path}$`))
}

async function timeToEnd(wire: Wire): Promise<number> {
  const start = performance.now()
  await wire.end()
  return performance.now() - start
}

/** Timers may be a few milliseconds early by the clock of somebody else. */
function fits(time: number): string {
  return time > WAIT - 50 && time < MOST ? 'in time' : `after ${time} ms`
}

function statusesOf(received: string): string {
  return Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status).join(' ')
}
