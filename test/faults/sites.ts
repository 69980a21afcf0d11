/** The places where a request runs functions of the application. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Done, type End, throwing } from './ends.ts'
import { streamSites } from './stream-sites.ts'
import { valueEnds } from './values.ts'
import {
  all,
  plainHook,
  payloadHook,
  hookSite,
  parserSite,
  validatorSite,
  invalid,
  formatterSite,
  serializerSite,
  loggerSite,
  logSerializerSite,
  constraintSite,
  deepSite,
  storage,
  type Scene,
  type Site,
} from './kinds.ts'

/** Handles an error; the parameters are those of any error handler. */
const errorHandler =
  ({ fault }: Scene) =>
  (_error: unknown, _request: unknown, reply: FastifyReply): never =>
    fault({ reply, value: { handled: true } }) as never

const notFoundHandler =
  ({ fault }: Scene) =>
  (_request: unknown, reply: FastifyReply): never =>
    fault({ reply, value: { missing: true } }) as never

const sendBody: Site['handler'] = (_scene, { body }, reply) => reply.send(body)

const faultyStorage =
  ({ fault }: Scene) =>
  (): object => {
    const store = storage() as { get(key: string): unknown }
    const { get } = store
    store.get = (key) => fault({ value: get(key) })
    return store
  }

/** Every function of an application that a request may run, by name. */
export const sites: ReadonlyMap<string, Site> = new Map(
  Object.entries<Site>({
    onRequest: hookSite('onRequest', plainHook),
    preParsing: hookSite('preParsing', payloadHook),
    preValidation: hookSite('preValidation', plainHook),
    preHandler: hookSite('preHandler', plainHook),
    preSerialization: hookSite('preSerialization', payloadHook),
    onSend: hookSite('onSend', payloadHook),
    onSendOfError: hookSite('onSend', payloadHook, { handler: throwing }),
    onResponse: hookSite('onResponse', plainHook),
    onError: hookSite('onError', payloadHook, { handler: throwing }),
    onTimeout: hookSite('onTimeout', plainHook, {
      ask: 'stall',
      transports: ['http1'],
      // Long enough for the request to arrive on a busy machine.
      options: () => ({ connectionTimeout: 100 }),
      handler: (_scene, _request, reply) => void setTimeout(() => reply.send('late'), 300),
    }),
    onRequestAbort: hookSite(
      'onRequestAbort',
      ({ fault }) =>
        (_request: FastifyRequest, done: Done) =>
          fault({ done, value: undefined }),
      {
        can: ['throw', 'promise', 'callback'],
        ask: 'abort',
        transports: ['http1', 'http2'],
        handler: () => new Promise(() => {}),
      },
    ),

    parserOfText: parserSite({ parseAs: 'string' }),
    parserOfBuffer: parserSite({ parseAs: 'buffer' }),
    parserOfStream: parserSite({}),

    validatorOfParams: validatorSite('params'),
    validatorOfBody: validatorSite('body'),
    validatorOfQuery: validatorSite('querystring'),
    validatorOfHeaders: validatorSite('headers'),
    schemaErrorFormatter: formatterSite({}),
    schemaErrorFormatterAttached: formatterSite({ attachValidation: true }),

    deepBodyOfSchema: deepSite({
      route: () => ({
        schema: {
          body: { $id: 'node', type: 'object', properties: { a: { $ref: '#' } } },
        },
      }),
    }),
    deepBodyInAnswer: deepSite({ handler: sendBody }),
    deepBodyInAnswerOfSchema: deepSite({
      handler: sendBody,
      route: () => ({
        schema: { response: { 200: { type: 'object', properties: { a: { $ref: '#' } } } } },
      }),
    }),
    deepBodyScanned: deepSite({
      ask: 'deepText',
      handler: sendBody,
    }),
    handler: {
      can: ['throw', 'promise', 'reply'],
      handler: ({ fault }, _request, reply) => fault({ reply, value: { a: 1 } }),
    },
    value: {
      can: valueEnds,
      handler: ({ pace, fault }, _request, reply) => {
        if (pace === 'sync') return fault({ reply, value: undefined })
        const answer = async (): Promise<unknown> => {
          await new Promise((resolve) => setImmediate(resolve))
          return fault({ reply, value: undefined })
        }
        return answer()
      },
    },
    ...streamSites,
    serializer: serializerSite('200'),
    serializerOfError: serializerSite('5xx', throwing),
    replySerializer: {
      can: ['throw'],
      declare(app, { fault }) {
        app.setReplySerializer((value) => fault({ value: JSON.stringify(value) }) as string)
      },
    },
    ownSerializer: {
      can: ['throw'],
      handler: ({ fault }, _request, reply) =>
        void reply
          .serializer((value: unknown) => fault({ value: JSON.stringify(value) }) as string)
          .send({ a: 1 }),
    },

    errorHandler: {
      can: ['throw', 'promise', 'reply'],
      handler: throwing,
      declare: (app, scene) => void app.setErrorHandler(errorHandler(scene)),
    },
    errorHandlerOfRoute: {
      can: ['throw', 'promise', 'reply'],
      handler: throwing,
      route: (scene) => ({ errorHandler: errorHandler(scene) }),
    },
    errorHandlerOfInvalid: {
      can: ['throw', 'promise', 'reply'],
      route: (scene) => ({ ...invalid(scene.pace), errorHandler: errorHandler(scene) }),
    },

    notFoundHandler: {
      can: ['throw', 'promise', 'reply'],
      ask: 'missing',
      declare: (app, scene) => void app.setNotFoundHandler(notFoundHandler(scene)),
    },
    notFoundPreHandler: {
      can: all,
      ask: 'missing',
      declare(app, scene) {
        app.setNotFoundHandler({ preHandler: plainHook(scene) as never }, ((
          _request: FastifyRequest,
          reply: FastifyReply,
        ) => reply.code(404).send('missing')) as never)
      },
    },
    callNotFound: {
      can: ['throw', 'promise', 'reply'],
      handler: (_scene, _request, reply) => reply.callNotFound(),
      declare: (app, scene) => void app.setNotFoundHandler(notFoundHandler(scene)),
    },

    trailer: {
      can: ['throw', 'promise', 'callback'],
      handler: ({ fault }, _request, reply) =>
        void reply
          .trailer('x-trailer', ((_reply: FastifyReply, _payload: unknown, done: Done) =>
            fault({ done, value: 'value' })) as never)
          .send({ a: 1 }),
    },
    trailerValue: {
      can: new Map<string, End>(
        Object.entries({ lines: 'a\r\nb', wide: '\u0100', none: undefined, object: {} }).map(
          ([name, value]) => [name, { needs: [], run: () => value }],
        ),
      ),
      handler: ({ fault }, _request, reply) =>
        void reply
          .trailer('x-trailer', ((_reply: FastifyReply, _payload: unknown, done: Done) =>
            done(null, fault({ value: 'value' }))) as never)
          .send({ a: 1 }),
    },

    genReqId: {
      can: ['throw'],
      options: ({ fault }) => ({ genReqId: () => fault({ value: '1' }) }),
    },
    childLoggerFactory: {
      can: ['throw'],
      declare(app, { fault }) {
        app.setChildLoggerFactory(
          (logger, bindings, options) =>
            fault({ value: logger.child(bindings, options) }) as typeof logger,
        )
      },
    },
    rewriteUrl: {
      can: ['throw'],
      options: ({ fault }) => ({
        rewriteUrl: ({ url }: FastifyRequest) => fault({ value: url }),
      }),
    },
    querystringParser: {
      can: ['throw'],
      options: ({ fault }) => ({ querystringParser: () => fault({ value: {} }) }),
    },
    frameworkErrors: {
      can: ['throw', 'promise', 'reply'],
      ask: 'badUrl',
      options: ({ fault }) => ({
        frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) =>
          fault({ reply, value: undefined }) ?? (reply.sent || reply.send('framework error')),
      }),
    },
    constraint: constraintSite(({ fault }) => ({
      storage,
      deriveConstraint: () => fault({ value: 'a' }),
    })),
    constraintStorage: constraintSite((scene) => ({
      storage: faultyStorage(scene),
      deriveConstraint: () => 'a',
    })),
    constraintCallback: {
      ...constraintSite(({ fault }) => ({
        storage,
        deriveConstraint: (_request: unknown, _context: unknown, done: Done) =>
          fault({ done, value: 'a' }),
      })),
      can: ['throw', 'callback'],
    },
    constraintStorageLater: constraintSite((scene) => ({
      storage: faultyStorage(scene),
      deriveConstraint: (_request: unknown, _context: unknown, done: Done) =>
        void setImmediate(() => done(null, 'a')),
    })),
    clientErrorHandler: {
      can: ['throw', 'promise'],
      ask: 'malformed',
      transports: ['http1'],
      options: ({ fault }) => ({
        clientErrorHandler: () => fault({ value: undefined }),
      }),
    },
    loggerInfo: loggerSite('info'),
    loggerError: loggerSite('error'),
    logSerializerOfRequest: logSerializerSite('req'),
    logSerializerOfReply: logSerializerSite('res'),
    logSerializerOfError: logSerializerSite('err'),
  }),
)
