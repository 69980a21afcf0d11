/** Types in variants, by noun. types.test.ts compares them with the same text of `framework`. */
import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type * as lib from 'fastify'
import type { Logger } from 'pino'

interface Provider {
  readonly input: unknown
  readonly output: this['input'] extends { is: infer T } ? T : unknown
}
interface Book {
  Params: { id: string }
  Body: { title: string }
  Reply: { 200: { title: string }; '4xx': { reason: string } }
}
interface Schema {
  params: { is: { id: string } }
  body: { is: { title: string } }
}
interface Config {
  desk: string
}
interface Options {
  folder: string
}
type Request = IncomingMessage
type Reply = ServerResponse

export interface Variants {
  instances: {
    plain: lib.FastifyInstance
    https: lib.FastifyInstance<HttpsServer, Request, Reply>
    http2: lib.FastifyInstance<Http2Server, Http2ServerRequest, Http2ServerResponse>
    logging: lib.FastifyInstance<Server, Request, Reply, Logger>
    typed: lib.FastifyInstance<Server, Request, Reply, lib.FastifyBaseLogger, Provider>
  }
  requests: {
    plain: lib.FastifyRequest
    book: lib.FastifyRequest<Book>
    http2: lib.FastifyRequest<Book, Http2Server, Http2ServerRequest>
    typed: lib.FastifyRequest<{}, Server, Request, Schema, Provider>
    config: lib.FastifyRequest<{}, Server, Request, {}, Provider, Config>
    logging: lib.FastifyRequest<{}, Server, Request, {}, Provider, unknown, Logger>
  }
  replies: {
    plain: lib.FastifyReply
    book: lib.FastifyReply<Server, Request, Reply, Book>
    text: lib.FastifyReply<Server, Request, Reply, { Reply: string }>
    http2: lib.FastifyReply<Http2Server, Http2ServerRequest, Http2ServerResponse>
    config: lib.FastifyReply<Server, Request, Reply, {}, Config>
    typed: lib.FastifyReply<Server, Request, Reply, {}, unknown, Schema, Provider>
  }
  routes: {
    plain: lib.RouteOptions
    shorthand: lib.RouteShorthandOptions
    withHandler: lib.RouteShorthandOptionsWithHandler
    book: lib.RouteOptions<Server, Request, Reply, Book>
    config: lib.RouteOptions<Server, Request, Reply, {}, Config>
    typed: lib.RouteOptions<Server, Request, Reply, {}, unknown, Schema, Provider>
    http2: lib.RouteOptions<Http2Server, Http2ServerRequest, Http2ServerResponse>
  }
  handlers: {
    method: lib.RouteHandlerMethod
    bookMethod: lib.RouteHandlerMethod<Server, Request, Reply, Book>
    handler: lib.RouteHandler
    book: lib.RouteHandler<Book>
    hook: lib.preHandlerHookHandler
    asyncHook: lib.preHandlerAsyncHookHandler
    bookHook: lib.onRequestHookHandler<Server, Request, Reply, Book>
    send: lib.onSendHookHandler<string>
    sendAny: lib.onSendAsyncHookHandler<unknown>
    parsing: lib.preParsingHookHandler
    error: lib.onErrorHookHandler
    abort: lib.onRequestAbortHookHandler
  }
  plugins: {
    callback: lib.FastifyPluginCallback
    asynchronous: lib.FastifyPluginAsync
    either: lib.FastifyPlugin
    callbackOptions: lib.FastifyPluginCallback<Options>
    asynchronousOptions: lib.FastifyPluginAsync<Options>
    http2: lib.FastifyPluginAsync<Options, Http2Server>
    typed: lib.FastifyPluginAsync<Options, Server, Provider>
    logging: lib.FastifyPluginAsync<Options, Server, Provider, Logger>
  }
}

/** For each noun and pair of variants, whether the first is assignable to the second. */
export type Assignable = {
  [Noun in keyof Variants]: {
    [From in keyof Variants[Noun]]: {
      [To in keyof Variants[Noun]]: [Variants[Noun][From]] extends [Variants[Noun][To]]
        ? true
        : false
    }
  }
}
