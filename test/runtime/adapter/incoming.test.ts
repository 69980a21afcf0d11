/** What can be heard of the end of a request, before its answer and after it. */
import type { FastifyRequest } from 'fastify'
import { finished } from 'node:stream'
import { test } from 'node:test'
import { assertSameOnConnections, Wire } from '../../support/connections.ts'

type Listen = (request: FastifyRequest, note: (event: string) => void) => void

const ways: Readonly<Record<string, Listen>> = {
  on: ({ raw }, note) => void raw.on('end', () => note('end')).on('close', () => note('close')),
  once: ({ raw }, note) =>
    void raw.once('end', () => note('end')).once('close', () => note('close')),
  close: ({ raw }, note) => void raw.addListener('close', () => note('close')),
  finished: ({ raw }, note) => void finished(raw, (error) => note(`finished ${error?.name}`)),
  read: ({ raw }, note) => void raw.on('data', () => note('data')).on('end', () => note('end')),
  iterate: async ({ raw }, note) => {
    for await (const chunk of raw) note(String(chunk))
    note('iterated')
  },
}

const requests: Readonly<Record<string, readonly string[]>> = {
  'without a body': ['GET /? HTTP/1.1', 'Host: a.test', '', ''],
  'with a body of no length': ['GET /? HTTP/1.1', 'Host: a.test', 'Content-Length: 0', '', ''],
  'with a body that nobody wants': [
    'GET /? HTTP/1.1',
    'Host: a.test',
    'Content-Length: 4',
    '',
    'body',
  ],
}

for (const [name, lines] of Object.entries(requests)) {
  test(`who hears of the end of a request ${name}`, () =>
    assertSameOnConnections({
      build(app, note) {
        for (const [way, listen] of Object.entries(ways)) {
          const hear = (request: FastifyRequest): void =>
            listen(request, (event) => note(way, event))
          app.get(`/before/${way}`, (request, reply) => {
            hear(request)
            reply.send('sent')
          })
          app.get(`/after/${way}`, (request, reply) => {
            reply.send('sent')
            hear(request)
          })
          app.get(`/later/${way}`, async (request, reply) => {
            setImmediate(() => hear(request))
            await new Promise((resolve) => setTimeout(resolve, 5))
            return reply.code(204).send()
          })
        }
        app.get('/nobody', (_request, reply) => void reply.send('sent'))
        app.get('/last', ({ raw }, reply) => {
          raw.on('close', () => note('last'))
          reply.send('that was all')
        })
      },
      async talk({ port, heard, note }) {
        for (const when of ['before', 'after', 'later']) {
          for (const way of Object.keys(ways)) {
            const wire = new Wire(port)
            for (const path of [`/${when}/${way}`, '/nobody', '/last']) {
              wire.write(lines.join('\r\n').replace('/?', path))
            }
            await wire.until('that was all')
            await heard('last')
            note(`${when} ${way}`, wire.received)
            wire.destroy()
          }
        }
      },
    }))
}
