/**
 * Types that are assignable on Fastify are assignable here.
 *
 * For each noun a list of variants; `Table` contains for each pair whether the first is assignable to the second.
 */
import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type * as oracle from 'fastify'
import type { Logger } from 'pino'
import type * as ours from 'framework'
import type { Equal, Expect } from './expect.ts'

type Table<Variants extends object> = {
  [From in keyof Variants]: {
    [To in keyof Variants]: [Variants[From]] extends [Variants[To]] ? true : false
  }
}

/** True if everything assignable in the one table is assignable in the other. */
type Covers<Ours extends object, Real extends object> = Equal<
  {
    [From in keyof Real]: {
      [To in keyof Real[From]]: Real[From][To] extends true
        ? Ours[From & keyof Ours][To & keyof Ours[From & keyof Ours]]
        : false
    }
  },
  Real
>

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

export type Instances = Expect<
  Covers<
    Table<{
      plain: ours.FastifyInstance
      https: ours.FastifyInstance<HttpsServer, Request, Reply>
      http2: ours.FastifyInstance<Http2Server, Http2ServerRequest, Http2ServerResponse>
      logging: ours.FastifyInstance<Server, Request, Reply, Logger>
      typed: ours.FastifyInstance<Server, Request, Reply, ours.FastifyBaseLogger, Provider>
    }>,
    Table<{
      plain: oracle.FastifyInstance
      https: oracle.FastifyInstance<HttpsServer, Request, Reply>
      http2: oracle.FastifyInstance<Http2Server, Http2ServerRequest, Http2ServerResponse>
      logging: oracle.FastifyInstance<Server, Request, Reply, Logger>
      typed: oracle.FastifyInstance<Server, Request, Reply, oracle.FastifyBaseLogger, Provider>
    }>
  >
>
export type Requests = Expect<
  Covers<
    Table<{
      plain: ours.FastifyRequest
      book: ours.FastifyRequest<Book>
      http2: ours.FastifyRequest<Book, Http2Server, Http2ServerRequest>
      typed: ours.FastifyRequest<{}, Server, Request, Schema, Provider>
      config: ours.FastifyRequest<{}, Server, Request, {}, Provider, Config>
      logging: ours.FastifyRequest<{}, Server, Request, {}, Provider, unknown, Logger>
    }>,
    Table<{
      plain: oracle.FastifyRequest
      book: oracle.FastifyRequest<Book>
      http2: oracle.FastifyRequest<Book, Http2Server, Http2ServerRequest>
      typed: oracle.FastifyRequest<{}, Server, Request, Schema, Provider>
      config: oracle.FastifyRequest<{}, Server, Request, {}, Provider, Config>
      logging: oracle.FastifyRequest<{}, Server, Request, {}, Provider, unknown, Logger>
    }>
  >
>
export type Replies = Expect<
  Covers<
    Table<{
      plain: ours.FastifyReply
      book: ours.FastifyReply<Server, Request, Reply, Book>
      text: ours.FastifyReply<Server, Request, Reply, { Reply: string }>
      http2: ours.FastifyReply<Http2Server, Http2ServerRequest, Http2ServerResponse>
      config: ours.FastifyReply<Server, Request, Reply, {}, Config>
      typed: ours.FastifyReply<Server, Request, Reply, {}, unknown, Schema, Provider>
    }>,
    Table<{
      plain: oracle.FastifyReply
      book: oracle.FastifyReply<Server, Request, Reply, Book>
      text: oracle.FastifyReply<Server, Request, Reply, { Reply: string }>
      http2: oracle.FastifyReply<Http2Server, Http2ServerRequest, Http2ServerResponse>
      config: oracle.FastifyReply<Server, Request, Reply, {}, Config>
      typed: oracle.FastifyReply<Server, Request, Reply, {}, unknown, Schema, Provider>
    }>
  >
>
export type Routes = Expect<
  Covers<
    Table<{
      plain: ours.RouteOptions
      shorthand: ours.RouteShorthandOptions
      withHandler: ours.RouteShorthandOptionsWithHandler
      book: ours.RouteOptions<Server, Request, Reply, Book>
      config: ours.RouteOptions<Server, Request, Reply, {}, Config>
      typed: ours.RouteOptions<Server, Request, Reply, {}, unknown, Schema, Provider>
      http2: ours.RouteOptions<Http2Server, Http2ServerRequest, Http2ServerResponse>
    }>,
    Table<{
      plain: oracle.RouteOptions
      shorthand: oracle.RouteShorthandOptions
      withHandler: oracle.RouteShorthandOptionsWithHandler
      book: oracle.RouteOptions<Server, Request, Reply, Book>
      config: oracle.RouteOptions<Server, Request, Reply, {}, Config>
      typed: oracle.RouteOptions<Server, Request, Reply, {}, unknown, Schema, Provider>
      http2: oracle.RouteOptions<Http2Server, Http2ServerRequest, Http2ServerResponse>
    }>
  >
>
export type Handlers = Expect<
  Covers<
    Table<{
      method: ours.RouteHandlerMethod
      bookMethod: ours.RouteHandlerMethod<Server, Request, Reply, Book>
      handler: ours.RouteHandler
      book: ours.RouteHandler<Book>
      hook: ours.preHandlerHookHandler
      asyncHook: ours.preHandlerAsyncHookHandler
      bookHook: ours.onRequestHookHandler<Server, Request, Reply, Book>
      send: ours.onSendHookHandler<string>
      sendAny: ours.onSendAsyncHookHandler<unknown>
      parsing: ours.preParsingHookHandler
      error: ours.onErrorHookHandler
      abort: ours.onRequestAbortHookHandler
    }>,
    Table<{
      method: oracle.RouteHandlerMethod
      bookMethod: oracle.RouteHandlerMethod<Server, Request, Reply, Book>
      handler: oracle.RouteHandler
      book: oracle.RouteHandler<Book>
      hook: oracle.preHandlerHookHandler
      asyncHook: oracle.preHandlerAsyncHookHandler
      bookHook: oracle.onRequestHookHandler<Server, Request, Reply, Book>
      send: oracle.onSendHookHandler<string>
      sendAny: oracle.onSendAsyncHookHandler<unknown>
      parsing: oracle.preParsingHookHandler
      error: oracle.onErrorHookHandler
      abort: oracle.onRequestAbortHookHandler
    }>
  >
>
export type Plugins = Expect<
  Covers<
    Table<{
      callback: ours.FastifyPluginCallback
      asynchronous: ours.FastifyPluginAsync
      either: ours.FastifyPlugin
      callbackOptions: ours.FastifyPluginCallback<Options>
      asynchronousOptions: ours.FastifyPluginAsync<Options>
      http2: ours.FastifyPluginAsync<Options, Http2Server>
      typed: ours.FastifyPluginAsync<Options, Server, Provider>
      logging: ours.FastifyPluginAsync<Options, Server, Provider, Logger>
    }>,
    Table<{
      callback: oracle.FastifyPluginCallback
      asynchronous: oracle.FastifyPluginAsync
      either: oracle.FastifyPlugin
      callbackOptions: oracle.FastifyPluginCallback<Options>
      asynchronousOptions: oracle.FastifyPluginAsync<Options>
      http2: oracle.FastifyPluginAsync<Options, Http2Server>
      typed: oracle.FastifyPluginAsync<Options, Server, Provider>
      logging: oracle.FastifyPluginAsync<Options, Server, Provider, Logger>
    }>
  >
>
