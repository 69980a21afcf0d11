/** `framework/lambda`: serves an application in AWS Lambda, behind API Gateway, function URLs and load balancers. */
import type { Writable } from 'node:stream'
import type { HostedResponse } from './adapter/hosted/response.ts'
import { createBoot, type Served } from './adapter/hosted/boot.ts'
import { formatOf, type LambdaEvent } from './adapter/lambda/event.ts'
import { LambdaRequest, type LambdaCall } from './adapter/lambda/request.ts'
import {
  type LambdaAnswer,
  type LambdaGlobal,
  type LambdaHead,
  LambdaResponse,
  StreamingLambdaResponse,
} from './adapter/lambda/response.ts'

/** A Lambda handler. */
export type LambdaHandler = (event: object, context?: object) => Promise<LambdaAnswer>

/** A Lambda handler that streams, from `awslambda.streamifyResponse`. */
export type StreamingLambdaHandler = (event: never, context: never) => Promise<unknown>

export interface LambdaOptions {
  /** The start of all paths, which routes don't have, for example the base path of a custom domain: `/v1`. */
  readonly basePath?: string | undefined
  /** Set on the context of every call. */
  readonly callbackWaitsForEmptyEventLoop?: boolean | undefined
}

/** The methods of an application that are called. */
interface Application extends Served {
  hasRequestDecorator(name: string): boolean
  decorateRequest(name: string, value: unknown): unknown
}

/**
 * Creates the handler that answers events with `app`: events of REST APIs, HTTP APIs in both payload formats, function URLs and load
 * balancers. `request.awsLambda` has `event` and `context`.
 *
 *     export const handler = toLambda(app)
 *
 * The first event starts the application, unless `await app.ready()` was called before.
 */
export function toLambda(app: Application, options: LambdaOptions = {}): LambdaHandler {
  const serve = createServe(app, options)
  return (event, context = {}) =>
    serve<LambdaAnswer>(event, context, (...exchange) => new LambdaResponse(...exchange))
}

/**
 * Like `toLambda`, for functions that stream responses. Returns `undefined` outside of Lambda.
 *
 *     export const handler = toStreamingLambda(app)
 */
export function toStreamingLambda(
  app: Application,
  options: LambdaOptions = {},
): StreamingLambdaHandler | undefined {
  const { awslambda } = globalThis as { awslambda?: Partial<LambdaGlobal> }
  // The AWS SDK creates an empty object elsewhere.
  if (!isLambda(awslambda)) return undefined
  const serve = createServe(app, options)
  return awslambda.streamifyResponse((event: object, stream: Writable, context: object) =>
    serve<void>(event, context, (request, resolve, reject) => {
      const open = (head: LambdaHead): Writable => awslambda.HttpResponseStream.from(stream, head)
      const response = new StreamingLambdaResponse(request, open, resolve, reject)
      // It may fail before there is an answer.
      stream.on('error', (error: Error) => response.destroy(error))
      return response
    }),
  )
}

function isLambda(value: Partial<LambdaGlobal> | undefined): value is LambdaGlobal {
  return typeof value?.streamifyResponse === 'function'
}

type Answer<T> = (
  request: LambdaRequest,
  resolve: (answer: T) => void,
  reject: (error: Error) => void,
) => HostedResponse<T>

/** @throws FST_ERR_DEC_AFTER_START if `app` was started already */
function createServe(
  app: Application,
  { basePath = '', callbackWaitsForEmptyEventLoop }: LambdaOptions,
): <T>(event: LambdaEvent, context: object, answer: Answer<T>) => Promise<T> {
  const base = basePath.replace(/\/+$/, '')
  const boot = createBoot(app)
  if (!app.hasRequestDecorator(DECORATOR)) {
    app.decorateRequest(DECORATOR, {
      getter(this: { readonly raw: Partial<LambdaRequest> }): LambdaCall | undefined {
        return this.raw.awsLambda
      },
    })
  }
  return async (event, context, answer) => {
    const format = formatOf(event)
    if (format === undefined) throw new TypeError(NO_REQUEST)
    if (callbackWaitsForEmptyEventLoop !== undefined) {
      Object.assign(context, { callbackWaitsForEmptyEventLoop })
    }
    const booting = boot()
    if (booting !== undefined) await booting
    return new Promise((resolve, reject) => {
      const request = new LambdaRequest({ event, context }, format, base)
      app.routing(request as never, answer(request, resolve, reject) as never)
    })
  }
}

const DECORATOR = 'awsLambda'

const NO_REQUEST =
  'The event contains no HTTP request. Use events of API Gateway, function URLs and load balancers'
