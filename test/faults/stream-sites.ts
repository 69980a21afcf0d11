/** The places where a request gives the framework a stream, and what happens to it there. */
import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Done, throwing } from './ends.ts'
import type { Scene, Site } from './kinds.ts'
import { proceed } from './scene.ts'
import { streamEnds } from './streams.ts'

type Hook = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => unknown

const add = (app: FastifyInstance, name: string, hook: Hook): void =>
  void app.addHook(name as 'onSend', hook as never)

const parseNothing = (app: FastifyInstance): void => app.removeContentTypeParser('application/json')

/** A hook of that name gives a stream. `declare` adds what keeps it from being read. */
function givenBy(name: string, more: Partial<Site> = {}): Site {
  return {
    can: streamEnds,
    ...more,
    declare(app, scene) {
      const { pace, fault } = scene
      const given = new WeakSet()
      add(app, name, (request, reply, payload, done) => {
        // The answer of an error keeps its payload.
        if (given.has(request)) return proceed(pace, done, payload)
        given.add(request)
        if (name === 'preParsing') (payload as Readable).resume()
        // The framework gets it as soon as it is created: earlier failures aren't the framework's.
        const stream = (): unknown => fault({ reply, value: payload })
        if (pace === 'later') return void setImmediate(() => done(null, stream()))
        return proceed(pace, done, stream())
      })
      more.declare?.(app, scene)
    },
  }
}

/** A handler gives a stream. */
function givenIn(answer: (give: () => unknown, reply: FastifyReply) => unknown): Site {
  return {
    can: streamEnds,
    handler({ pace, fault }: Scene, _request, reply) {
      const give = (): unknown => fault({ reply, value: undefined })
      const result = answer(give, reply)
      return pace === 'promise' ? Promise.resolve(result) : result
    },
  }
}

/** Long enough for most streams to have failed. */
const muchLater = (run: () => void): void => void setTimeout(run, 20)

export const streamSites: Readonly<Record<string, Site>> = {
  stream: givenIn((give) => give()),
  streamDuringOnSend: {
    ...givenIn((give) => give()),
    declare: (app) =>
      add(app, 'onSend', (_request, _reply, payload, done) => muchLater(() => done(null, payload))),
  },
  streamAfterAnswer: givenIn((give, reply) => {
    reply.send({ answered: true })
    return give()
  }),
  streamOfHijacked: givenIn((give, reply) => {
    reply.hijack().raw.end('hijacked')
    return give()
  }),
  streamWithoutContent: givenIn((give, reply) => {
    reply.code(204)
    return give()
  }),
  streamOfError: {
    can: streamEnds,
    handler: throwing,
    declare: (app, { fault }) =>
      void app.setErrorHandler((_error, _request, reply) => fault({ reply, value: {} }) as never),
  },
  streamOfMissing: {
    can: streamEnds,
    ask: 'missing',
    declare: (app, { fault }) =>
      void app.setNotFoundHandler((_request, reply) => fault({ reply, value: {} }) as never),
  },

  preParsingStream: givenBy('preParsing'),
  preParsingStreamTooLarge: givenBy('preParsing', { route: () => ({ bodyLimit: 1 }) }),
  preParsingStreamWithoutParser: givenBy('preParsing', { declare: parseNothing }),
  preParsingStreamOfMissing: givenBy('preParsing', {
    ask: 'missing',
    declare(app) {
      parseNothing(app)
      app.setNotFoundHandler((_request, reply) => void reply.code(404).send('missing'))
    },
  }),
  preParsingStreamOfAnswered: givenBy('preParsing', {
    declare: (app) =>
      add(app, 'preParsing', (_request, reply) => muchLater(() => reply.code(403).send('denied'))),
  }),
  preParsingStreamReplaced: givenBy('preParsing', {
    declare: (app) =>
      add(app, 'preParsing', (_request, _reply, _payload, done) =>
        muchLater(() => done(null, Readable.from([Buffer.from('{"a":1}')]))),
      ),
  }),
  preParsingStreamKept: givenBy('preParsing', {
    declare: (app) =>
      add(app, 'preParsing', (_request, _reply, payload, done) =>
        muchLater(() => done(null, payload)),
      ),
  }),
  preParsingStreamOfParser: givenBy('preParsing', {
    // A parser that pipes its stream doesn't notice that it is closed.
    can: new Map([...streamEnds].filter(([name]) => /^(fails|emits|read|transform)/.test(name))),
    declare(app) {
      parseNothing(app)
      app.addContentTypeParser('application/json', (_request, payload, done) => {
        payload
          .pipe(new PassThrough())
          .resume()
          .on('end', () => done(null, { a: 1 }))
      })
    },
  }),
  preParsingStreamOfAborted: givenBy('preParsing', {
    ask: 'abort',
    transports: ['http1', 'http2'],
    handler: () => new Promise(() => {}),
  }),

  preSerializationStreamReplaced: givenBy('preSerialization', {
    declare: (app) =>
      add(app, 'preSerialization', (_request, _reply, _payload, done) =>
        muchLater(() => done(null, { a: 1 })),
      ),
  }),
  onSendStream: givenBy('onSend'),
  onSendStreamKept: givenBy('onSend', {
    declare: (app) =>
      add(app, 'onSend', (_request, _reply, payload, done) => muchLater(() => done(null, payload))),
  }),
  onSendStreamReplaced: givenBy('onSend', {
    declare: (app) =>
      add(app, 'onSend', (_request, _reply, _payload, done) => muchLater(() => done(null, 'text'))),
  }),
  onSendStreamRefused: givenBy('onSend', {
    declare(app) {
      let calls = 0
      add(app, 'onSend', (_request, _reply, payload, done) =>
        calls++ % 2 === 0 ? muchLater(() => done(new Error('refused'))) : done(null, payload),
      )
    },
  }),
}
