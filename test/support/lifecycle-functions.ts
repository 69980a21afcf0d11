/** The hooks, handlers, parsers and validators of the applications of `lifecycle-program.ts`, in tables of how they end. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export const HOOKS = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
] as const
export type HookName = (typeof HOOKS)[number]

export interface HookStep {
  readonly kind: 'hook'
  readonly name: HookName
  /** A key of `asyncHookEnds` or `hookEnds`. */
  readonly end: string
}

/** How a parser of the body or a validator of it ends. */
export type CheckEnd = 'pass' | 'change' | 'fail' | 'throw' | 'async' | 'asyncFail'

type Done = (error?: unknown, value?: unknown) => void
export type Log = (entry: string) => void
export type Callable = (...args: never[]) => unknown

/** The result of a function of an application. */
type End = (reply: FastifyReply, name: string) => unknown
type Ends = Readonly<Record<string, End>>
type HookEnd = (reply: FastifyReply, name: string, done: Done, step: HookStep) => void

function throws(name: string): never {
  throw failure(name)
}

function throwsNothing(): never {
  throw undefined
}

/** Ends of hooks that are async functions. */
const asyncHookEnds: Ends = {
  async: () => undefined,
  reject: (_reply, name) => throws(name),
  rejectNothing: throwsNothing,
  asyncAnswer: (reply, name) => reply.send({ from: name }),
}

/** Ends of other hooks. */
const hookEnds: Readonly<Record<string, HookEnd>> = {
  callback: (_reply, _name, done) => done(),
  later: (_reply, _name, done) => setImmediate(done),
  head(reply, name, done) {
    reply.code(299).header('x-head', name)
    done()
  },
  error: (_reply, name, done) => done(failure(name)),
  throw: (_reply, name) => throws(name),
  throwText(_reply, name) {
    throw `text of ${name}`
  },
  replace: (_reply, name, done, step) =>
    done(null, step.name === 'onSend' ? `replaced by ${name}` : { replaced: name }),
  replaceByStream: (_reply, name, done) => done(null, Readable.from([name, ' as a stream'])),
  replaceByBuffer: (_reply, name, done) => done(null, Buffer.from(name)),
  // For HEAD, Fastify 4.21 fails.
  replaceByNothing: (reply, _name, done) => done(null, reply.request.method === 'HEAD' ? '' : null),
  replaceByNumber: (_reply, _name, done) => done(null, 7),
  answer: (reply, name) => void reply.send({ from: name }),
  answerAndGoOn(reply, name, done) {
    reply.send({ from: name })
    done()
  },
  answerLater: (reply, name) => void setImmediate(() => reply.send({ from: name })),
  answerError: (reply, name) => void reply.code(410).send(failure(name)),
  hijack: (reply, name) => void reply.hijack().raw.end(`hijacked by ${name}`),
  notFound: (reply) => reply.callNotFound(),
}

export const handlerEnds: Ends = {
  send: (reply, name) => void reply.code(201).header('x-by', name).send({ by: name }),
  return: async (_reply, name) => ({ by: name }),
  text: (reply, name) => reply.send(`text of ${name}`),
  buffer: (reply, name) => void reply.type('application/x-bytes').send(Buffer.from(name)),
  nothing: (reply) => void reply.send(),
  null: async () => null,
  throw: (_reply, name) => throws(name),
  reject: async (_reply, name) => throws(name),
  sendError: (reply, name) => void reply.code(409).send(failure(name)),
  notFound: (reply) => reply.callNotFound(),
  unserializable(reply) {
    const loop: Record<string, unknown> = {}
    loop.loop = loop
    reply.send(loop)
  },
  twice(reply, name) {
    reply.send({ by: name })
    reply.send({ again: name })
  },
  stream: (reply, name) => void reply.send(Readable.from([name, ' as a stream'])),
  brokenStream(reply, name) {
    const read = function (this: Readable): void {
      this.destroy(failure(name))
    }
    reply.send(new Readable({ read }))
  },
  hijack(reply, name) {
    reply.hijack()
    setImmediate(() => reply.raw.end(`hijacked by ${name}`))
    return Promise.resolve()
  },
  rawEnd: (reply, name) => void reply.raw.end(`raw end of ${name}`),
  returnReply(reply, name) {
    setImmediate(() => reply.send({ late: name }))
    return reply
  },
  returnNothing: async () => {},
  sendThenThrow(reply, name) {
    reply.send({ by: name })
    throw failure(name)
  },
  sendThenReject(reply, name) {
    reply.send({ by: name })
    return Promise.reject(failure(name))
  },
  throwText(_reply, name) {
    throw `text of ${name}`
  },
  rejectNothing: async () => throwsNothing(),
  redirect: (reply, name) => void reply.redirect(303, `/${name}`),
  noContent: (reply) => void reply.code(204).send({ no: 'content' }),
  trailer: (reply, name) =>
    void reply.trailer('x-trailer', (async () => name) as never).send({ by: name }),
  ownSerializer: (reply, name) =>
    void reply
      .serializer((payload: unknown) => `own ${JSON.stringify(payload)}`)
      .send({ by: name }),
  number: async () => 0,
}

export const errorHandlerEnds: Readonly<
  Record<string, (reply: FastifyReply, name: string, error: Error) => unknown>
> = {
  send: (reply, name) => void reply.code(418).send({ handled: name }),
  return: (_reply, name) => ({ handled: name }),
  async: async (_reply, name) => ({ handled: name }),
  sendError: (reply, name) => void reply.send(failure(`again ${name}`)),
  sendSame: (reply, _name, error) => void reply.send(error),
  throw: (_reply, name) => throws(`again ${name}`),
  reject: async (_reply, name) => throws(`again ${name}`),
  sendWhenSettled: (reply, name) => void setImmediate(() => reply.send({ handled: name })),
  notFound: (reply) => reply.callNotFound(),
  hijack: (reply, name) => void reply.hijack().raw.end(`hijacked by ${name}`),
  nothing: () => {},
}

/** Results of a validator of the body. */
export const checkEnds: Readonly<Record<CheckEnd, (name: string) => unknown>> = {
  pass: () => true,
  change: (name) => ({ value: { changed: name } }),
  fail: (name) => ({ error: failure(name) }),
  throw: throws,
  async: async (name) => ({ value: { changed: name } }),
  asyncFail: async (name) => throws(name),
}

/** `this` of hooks and handlers shows in the prefix that they see. */
function where(instance: unknown): string {
  return `[${(instance as FastifyInstance | undefined)?.prefix}]`
}

export function toHook(step: HookStep, name: string, log: Log): Callable {
  const hasPayload = ['preParsing', 'preSerialization', 'onSend', 'onError'].includes(step.name)
  const enter = (self: unknown, reply: FastifyReply, payload: unknown): void => {
    const shown = step.name === 'onError' || step.name === 'onSend' ? show(payload) : ''
    log(`${step.name} ${name}${where(self)} ${step.end} ${reply.statusCode} ${reply.sent} ${shown}`)
  }
  const asyncEnd = asyncHookEnds[step.end]
  if (asyncEnd !== undefined) {
    const run = async (self: unknown, reply: FastifyReply, payload?: unknown): Promise<unknown> => {
      enter(self, reply, payload)
      await Promise.resolve()
      return asyncEnd(reply, name)
    }
    return hasPayload
      ? async function (this: unknown, _: unknown, reply: FastifyReply, payload: unknown) {
          return run(this, reply, payload)
        }
      : async function (this: unknown, _: unknown, reply: FastifyReply) {
          return run(this, reply)
        }
  }
  const end = hookEnds[step.end] as HookEnd
  return hasPayload
    ? function (this: unknown, _: unknown, reply: FastifyReply, payload: unknown, done: Done) {
        enter(this, reply, payload)
        end(reply, name, done, step)
      }
    : function (this: unknown, _: unknown, reply: FastifyReply, done: Done) {
        enter(this, reply, undefined)
        end(reply, name, done, step)
      }
}

export function toHandler(end: string, name: string, log: Log): Callable {
  return function (this: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    const { params, query, body, is404, validationError } = request
    const seen = [show(params), show(query), show(body), is404, show(validationError)].join(' ')
    log(`handler ${name}${where(this)} ${seen}`)
    return handlerEnds[end]?.(reply, name)
  }
}

export function toErrorHandler(end: string, name: string, log: Log): Callable {
  return function (this: unknown, error: Error, _: unknown, reply: FastifyReply): unknown {
    log(`errorHandler ${name}${where(this)} ${describe(error)} ${reply.statusCode}`)
    return errorHandlerEnds[end]?.(reply, name, error)
  }
}

/** A content type parser, which takes the body as text. */
export function toParser(end: CheckEnd, name: string, log: Log): Callable {
  if (end === 'async' || end === 'asyncFail') {
    return async (_request: FastifyRequest, body: string) => {
      log(`parser ${name} ${body}`)
      await Promise.resolve()
      if (end === 'asyncFail') throw failure(name)
      return { parsed: body }
    }
  }
  return (_request: FastifyRequest, body: string, done: Done) => {
    log(`parser ${name} ${body}`)
    if (end === 'throw') throw failure(name)
    else if (end === 'fail') done(failure(name))
    else done(null, end === 'change' ? { parsed: body } : body)
  }
}

/** A validator compiler; the schema is not looked at. */
export function toValidatorCompiler(end: CheckEnd, name: string, log: Log): Callable {
  return () => (data: unknown) => {
    log(`validator ${name} ${show(data)}`)
    return checkEnds[end](name)
  }
}

/** A reply serializer for a context. */
export function toSerializer(fails: boolean, name: string, log: Log): Callable {
  return (payload: unknown, status: number) => {
    log(`serializer ${name} ${show(payload)} ${status}`)
    if (fails) throw failure(name)
    return `{"by":"${name}","payload":${JSON.stringify(payload)}}`
  }
}

function failure(name: string): Error {
  return Object.assign(new Error(`failure of ${name}`), { code: `CODE_${name}`, statusCode: 422 })
}

export function describe(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { code, message } = error as { code?: string; message?: string }
  return `${String(code)}: ${String(message)}`
}

export function show(value: unknown): string {
  if (value instanceof Error) return describe(value)
  if (Buffer.isBuffer(value)) return `<${value.toString()}>`
  if (value instanceof Readable) return 'stream'
  if (typeof value === 'string' || value === undefined) return String(value)
  return JSON.stringify(value)
}
