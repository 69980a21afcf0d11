/** The hooks, handlers, parsers and validators of the applications of `lifecycle-program.ts`. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CheckEnd, ErrorHandlerEnd, HandlerEnd, HookStep } from './lifecycle-program.ts'

type Done = (error?: unknown, value?: unknown) => void
export type Log = (entry: string) => void
export type Callable = (...args: never[]) => unknown

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
  if (['async', 'reject', 'rejectNothing', 'asyncAnswer'].includes(step.end)) {
    const run = async (self: unknown, reply: FastifyReply, payload?: unknown): Promise<unknown> => {
      enter(self, reply, payload)
      await Promise.resolve()
      if (step.end === 'reject') throw failure(name)
      if (step.end === 'rejectNothing') throw undefined
      return step.end === 'asyncAnswer' ? reply.send({ from: name }) : undefined
    }
    return hasPayload
      ? async function (
          this: unknown,
          _request: FastifyRequest,
          reply: FastifyReply,
          payload: unknown,
        ) {
          return run(this, reply, payload)
        }
      : async function (this: unknown, _request: FastifyRequest, reply: FastifyReply) {
          return run(this, reply)
        }
  }
  const run = (self: unknown, reply: FastifyReply, payload: unknown, done: Done): void => {
    enter(self, reply, payload)
    endHook(step, name, reply, done)
  }
  return hasPayload
    ? function (
        this: unknown,
        _request: FastifyRequest,
        reply: FastifyReply,
        payload: unknown,
        done: Done,
      ) {
        run(this, reply, payload, done)
      }
    : function (this: unknown, _request: FastifyRequest, reply: FastifyReply, done: Done) {
        run(this, reply, undefined, done)
      }
}

function endHook(step: HookStep, name: string, reply: FastifyReply, done: Done): void {
  switch (step.end) {
    case 'later':
      setImmediate(done)
      return
    case 'head':
      reply.code(299).header('x-head', name)
      done()
      return
    case 'error':
      done(failure(name))
      return
    case 'throw':
      throw failure(name)
    case 'throwText':
      throw `text of ${name}`
    case 'replace':
      done(null, step.name === 'onSend' ? `replaced by ${name}` : { replaced: name })
      return
    case 'replaceByStream':
      done(null, Readable.from([name, ' as a stream']))
      return
    case 'replaceByBuffer':
      done(null, Buffer.from(name))
      return
    case 'replaceByNothing':
      // For HEAD, Fastify 4.21 fails.
      done(null, reply.request.method === 'HEAD' ? '' : null)
      return
    case 'replaceByNumber':
      done(null, 7)
      return
    case 'answer':
      reply.send({ from: name })
      return
    case 'answerAndGoOn':
      reply.send({ from: name })
      done()
      return
    case 'answerLater':
      setImmediate(() => reply.send({ from: name }))
      return
    case 'answerError':
      reply.code(410).send(failure(name))
      return
    case 'hijack':
      reply.hijack().raw.end(`hijacked by ${name}`)
      return
    case 'notFound':
      reply.callNotFound()
      return
    default:
      done()
  }
}

export function toHandler(end: HandlerEnd, name: string, log: Log): Callable {
  return function (this: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    const { params, query, body, is404, validationError } = request
    log(
      `handler ${name}${where(this)} ${show(params)} ${show(query)} ${show(body)} ${is404} ${show(validationError)}`,
    )
    switch (end) {
      case 'send':
        reply.code(201).header('x-by', name).send({ by: name })
        return undefined
      case 'return':
        return Promise.resolve({ by: name })
      case 'text':
        return reply.send(`text of ${name}`)
      case 'buffer':
        reply.type('application/x-bytes').send(Buffer.from(name))
        return undefined
      case 'nothing':
        reply.send()
        return undefined
      case 'null':
        return Promise.resolve(null)
      case 'number':
        return Promise.resolve(0)
      case 'throw':
        throw failure(name)
      case 'throwText':
        throw `text of ${name}`
      case 'reject':
        return Promise.reject(failure(name))
      case 'rejectNothing':
        return Promise.reject(undefined)
      case 'sendError':
        reply.code(409).send(failure(name))
        return undefined
      case 'sendThenThrow':
        reply.send({ by: name })
        throw failure(name)
      case 'sendThenReject':
        reply.send({ by: name })
        return Promise.reject(failure(name))
      case 'notFound':
        reply.callNotFound()
        return undefined
      case 'unserializable': {
        const loop: Record<string, unknown> = {}
        loop.loop = loop
        reply.send(loop)
        return undefined
      }
      case 'twice':
        reply.send({ by: name })
        reply.send({ again: name })
        return undefined
      case 'stream':
        reply.send(Readable.from([name, ' as a stream']))
        return undefined
      case 'brokenStream':
        reply.send(
          new Readable({
            read() {
              this.destroy(failure(name))
            },
          }),
        )
        return undefined
      case 'hijack':
        reply.hijack()
        setImmediate(() => reply.raw.end(`hijacked by ${name}`))
        return Promise.resolve()
      case 'rawEnd':
        reply.raw.end(`raw end of ${name}`)
        return undefined
      case 'returnReply':
        setImmediate(() => reply.send({ late: name }))
        return reply
      case 'returnNothing':
        return Promise.resolve()
      case 'redirect':
        reply.redirect(303, `/${name}`)
        return undefined
      case 'noContent':
        reply.code(204).send({ no: 'content' })
        return undefined
      case 'trailer':
        reply.trailer('x-trailer', (async () => name) as never).send({ by: name })
        return undefined
      case 'ownSerializer':
        reply.serializer((payload: unknown) => `own ${JSON.stringify(payload)}`).send({ by: name })
        return undefined
    }
  }
}

export function toErrorHandler(end: ErrorHandlerEnd, name: string, log: Log): Callable {
  return function (
    this: unknown,
    error: Error,
    _request: FastifyRequest,
    reply: FastifyReply,
  ): unknown {
    log(`errorHandler ${name}${where(this)} ${describe(error)} ${reply.statusCode}`)
    switch (end) {
      case 'send':
        reply.code(418).send({ handled: name })
        return undefined
      case 'sendWhenSettled':
        setImmediate(() => reply.send({ handled: name }))
        return undefined
      case 'return':
        return { handled: name }
      case 'async':
        return Promise.resolve({ handled: name })
      case 'sendError':
        reply.send(failure(`again ${name}`))
        return undefined
      case 'sendSame':
        reply.send(error)
        return undefined
      case 'throw':
        throw failure(`again ${name}`)
      case 'reject':
        return Promise.reject(failure(`again ${name}`))
      case 'notFound':
        reply.callNotFound()
        return undefined
      case 'hijack':
        reply.hijack().raw.end(`hijacked by ${name}`)
        return undefined
      case 'nothing':
        return undefined
    }
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
    switch (end) {
      case 'pass':
        return true
      case 'change':
        return { value: { changed: name } }
      case 'fail':
        return { error: failure(name) }
      case 'throw':
        throw failure(name)
      case 'async':
        return Promise.resolve({ value: { changed: name } })
      case 'asyncFail':
        return Promise.reject(failure(name))
    }
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
