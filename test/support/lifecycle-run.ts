/** Runs the applications of `lifecycle-program.ts` on any factory with Fastify's interface, and notes what happens. */
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify'
import { outcomeOf, turns } from './patience.ts'
import type {
  ErrorHandlerEnd,
  HandlerEnd,
  HookStep,
  NotFoundStep,
  RouteStep,
  Step,
} from './lifecycle-program.ts'

export type Factory = (options?: object) => FastifyInstance

type Done = (error?: Error | null, value?: unknown) => void
type Log = (entry: string) => void
type Callable = (...args: never[]) => unknown

const json = { 'content-type': 'application/json' }

const requests: readonly InjectOptions[] = ['', '/p', '/q', '/p/p'].flatMap((prefix) => [
  { method: 'GET' as const, url: `${prefix}/` },
  { method: 'GET' as const, url: `${prefix}/a?x=1` },
  { method: 'HEAD' as const, url: `${prefix}/b` },
  { method: 'POST' as const, url: `${prefix}/a`, payload: { a: 1 } },
  { method: 'POST' as const, url: `${prefix}/zzz/y`, payload: '{"broken"', headers: json },
])

/** Turns in which `onResponse` hooks end after the answer. */
const AFTERMATH = 15

/** What can be seen of an application: while it boots, and then request by request. */
export type Observation = readonly (readonly string[])[]

/** Runs an application; `listen` is told what happens outside of any request, too. */
export async function observe(
  factory: Factory,
  steps: readonly Step[],
  escaped: Escaped,
): Promise<Observation> {
  const app = factory()
  const chapters: string[][] = [[]]
  const log: Log = (entry) => chapters.at(-1)?.push(entry)
  escaped.log = log
  declare(app, steps, log, { next: 0 })
  const boot = await outcomeOf(app.ready())
  log(boot.kind === 'error' ? describe(boot.error) : boot.kind)
  if (boot.kind !== 'value') return chapters
  for (const request of requests) {
    chapters.push([`${request.method} ${String(request.url)}`])
    log(await send(app, request))
  }
  return chapters
}

/** Errors that nobody caught. */
export interface Escaped {
  log: Log
  restore(): void
}

/** Notes errors that nobody catches, in the place of the test runner, until `restore` is called. */
export function catchEscaped(): Escaped {
  const events = ['uncaughtException', 'unhandledRejection'] as const
  const listeners = events.map((event) => process.listeners(event as 'uncaughtException'))
  const escaped: Escaped = {
    log: () => {},
    restore: () => {
      events.forEach((event, i) => {
        process.removeAllListeners(event)
        for (const listener of listeners[i] ?? [])
          process.on(event as 'uncaughtException', listener)
      })
    },
  }
  for (const event of events) {
    process.removeAllListeners(event)
    process.on(event as 'uncaughtException', (error) => escaped.log(`escaped ${describe(error)}`))
  }
  return escaped
}

async function send(app: FastifyInstance, request: InjectOptions): Promise<string> {
  const outcome = await outcomeOf(app.inject(request))
  await turns(AFTERMATH)
  if (outcome.kind === 'never') return 'no answer'
  if (outcome.kind === 'error') return `failed ${describe(outcome.error)}`
  const { statusCode, headers, payload } = outcome.value
  const { date: _date, ...rest } = headers
  return `${statusCode} ${JSON.stringify(rest)} ${payload}`
}

function declare(
  app: FastifyInstance,
  steps: readonly Step[],
  log: Log,
  names: { next: number },
): void {
  for (const step of steps) {
    const name = `${step.kind}${names.next++}`
    switch (step.kind) {
      case 'hook':
        app.addHook(step.name as 'onRequest', toHook(step, name, log) as never)
        break
      case 'errorHandler':
        app.setErrorHandler(toErrorHandler(step.end, name, log) as never)
        break
      case 'notFound':
        declareNotFound(app, step, name, log)
        break
      case 'route':
        declareRoute(app, step, name, log)
        break
      case 'context': {
        const plugin = async (child: FastifyInstance): Promise<void> => {
          declare(child, step.steps, log, names)
        }
        if (step.isWrapped) Object.assign(plugin, { [Symbol.for('skip-override')]: true })
        app.register(plugin, { prefix: step.prefix })
        break
      }
    }
  }
}

function declareRoute(app: FastifyInstance, step: RouteStep, name: string, log: Log): void {
  const options: Record<string, unknown> = {
    method: step.method,
    url: step.path,
    handler: toHandler(step.end, name, log),
    config: { name },
  }
  addHooks(options, step.hooks, name, log)
  if (step.errorHandler) options.errorHandler = toErrorHandler(step.errorHandler, name, log)
  try {
    app.route(options as never)
  } catch (error) {
    log(`${name} refused ${describe(error)}`)
  }
}

function declareNotFound(app: FastifyInstance, step: NotFoundStep, name: string, log: Log): void {
  const options: Record<string, unknown> = {}
  addHooks(options, step.hooks, name, log)
  // A 404 handler that calls itself is answered; it is not what a program is about.
  const end = step.end === 'notFound' ? 'send' : step.end
  try {
    app.setNotFoundHandler(options as never, toHandler(end, name, log) as never)
  } catch (error) {
    log(`${name} refused ${describe(error)}`)
  }
}

function addHooks(
  options: Record<string, unknown>,
  hooks: readonly HookStep[],
  name: string,
  log: Log,
): void {
  hooks.forEach((step, i) => {
    const list = (options[step.name] ??= []) as unknown[]
    list.push(toHook(step, `${name}.${i}`, log))
  })
}

/** `this` of hooks and handlers shows in the prefix that they see. */
function where(instance: unknown): string {
  return `[${(instance as FastifyInstance | undefined)?.prefix}]`
}

function toHook(step: HookStep, name: string, log: Log): Callable {
  const hasPayload = ['preParsing', 'preSerialization', 'onSend', 'onError'].includes(step.name)
  const enter = (self: unknown, reply: FastifyReply, payload: unknown): void => {
    const shown = step.name === 'onError' || step.name === 'onSend' ? show(payload) : ''
    log(`${step.name} ${name}${where(self)} ${step.end} ${reply.statusCode} ${reply.sent} ${shown}`)
  }
  if (step.end === 'async' || step.end === 'reject' || step.end === 'asyncAnswer') {
    const run = async (self: unknown, reply: FastifyReply, payload?: unknown): Promise<unknown> => {
      enter(self, reply, payload)
      await Promise.resolve()
      if (step.end === 'reject') throw failure(name)
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
    switch (step.end) {
      case 'later':
        setImmediate(done)
        return
      case 'error':
        done(failure(name))
        return
      case 'throw':
        throw failure(name)
      case 'answer':
        reply.send({ from: name })
        return
      case 'replace':
        done(null, step.name === 'onSend' ? `replaced by ${name}` : { replaced: name })
        return
      default:
        done()
    }
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

function toHandler(end: HandlerEnd, name: string, log: Log): Callable {
  return function (this: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    log(
      `handler ${name}${where(this)} ${show(request.params)} ${show(request.query)} ${request.is404}`,
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
      case 'throw':
        throw failure(name)
      case 'reject':
        return Promise.reject(failure(name))
      case 'sendError':
        reply.code(409).send(failure(name))
        return undefined
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
    }
  }
}

function toErrorHandler(end: ErrorHandlerEnd, name: string, log: Log): Callable {
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
      case 'sendLater':
        setImmediate(() => reply.send({ handled: name }))
        return undefined
      case 'return':
        return { handled: name }
      case 'async':
        return Promise.resolve({ handled: name })
      case 'sendError':
        reply.send(failure(`again ${name}`))
        return undefined
      case 'reject':
        return Promise.reject(failure(`again ${name}`))
    }
  }
}

function failure(name: string): Error {
  return Object.assign(new Error(`failure of ${name}`), { code: `CODE_${name}`, statusCode: 422 })
}

function describe(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return `${String(code)}: ${String(message)}`
}

function show(value: unknown): string {
  if (value instanceof Error) return describe(value)
  if (Buffer.isBuffer(value)) return `<${value.toString()}>`
  if (typeof value === 'string' || value === undefined) return String(value)
  return JSON.stringify(value)
}
