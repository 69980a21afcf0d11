/** Runs the applications of `lifecycle-program.ts` on any factory with Fastify's interface, and notes what happens. */
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Lasting } from './folders.ts'
import {
  type Callable,
  describe,
  type HookStep,
  type Log,
  toErrorHandler,
  toHandler,
  toHook,
  toParser,
  toSerializer,
  toValidatorCompiler,
} from './lifecycle-functions.ts'
import type { NotFoundStep, ParserStep, RouteStep, Step } from './lifecycle-program.ts'
import './oracle-heads.ts'
import { outcomeOf, turns } from './turns.ts'

export type Factory = (options?: object) => FastifyInstance

const text = { 'content-type': 'text/plain' }
const json = { 'content-type': 'application/json' }

const requests: readonly InjectOptions[] = ['', '/p', '/q', '/p/p'].flatMap((prefix) => [
  { method: 'GET' as const, url: `${prefix}/` },
  { method: 'GET' as const, url: `${prefix}/a?x=1` },
  { method: 'HEAD' as const, url: `${prefix}/b` },
  { method: 'POST' as const, url: `${prefix}/a`, payload: { a: 1 } },
  { method: 'POST' as const, url: `${prefix}/b`, payload: 'text', headers: text },
  { method: 'POST' as const, url: `${prefix}/zzz/y`, payload: '{"broken"', headers: json },
])

/** Number of turns of the event loop after an answer, in which `onResponse` hooks end. */
const TURNS_AFTER_ANSWER = 15

/** Observations of an application: while it boots, and then request by request. */
export type Observation = readonly (readonly string[])[]

/** Runs an application; `escaped` logs what happens outside of any request. */
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

/** The log of uncaught errors. */
interface Escaped {
  log: Log
}

/** Logs uncaught errors instead of the test runner, for as long as `t` lasts. */
export function catchEscaped(t: Lasting): Escaped {
  const events = ['uncaughtException', 'unhandledRejection'] as const
  const listeners = events.map((event) => process.listeners(event as 'uncaughtException'))
  const escaped: Escaped = { log: () => {} }
  t.after(() => {
    events.forEach((event, i) => {
      process.removeAllListeners(event)
      for (const listener of listeners[i] ?? []) process.on(event as 'uncaughtException', listener)
    })
  })
  for (const event of events) {
    process.removeAllListeners(event)
    process.on(event as 'uncaughtException', (error) => escaped.log(`escaped ${describe(error)}`))
  }
  return escaped
}

async function send(app: FastifyInstance, request: InjectOptions): Promise<string> {
  const outcome = await outcomeOf(app.inject(request))
  await turns(TURNS_AFTER_ANSWER)
  if (outcome.kind === 'never') return 'no answer'
  if (outcome.kind === 'error') return `failed ${describe(outcome.error)}`
  const { statusCode, headers, payload } = outcome.value
  // With 204, Fastify 4.21 sends content.
  if (statusCode === 204) return '204'
  // After an error of the body, Fastify 4.21 keeps the connection open.
  const { date: _date, connection: _connection, ...rest } = headers
  return `${statusCode} ${JSON.stringify(rest)} ${payload}`
}

function declare(app: FastifyInstance, steps: readonly Step[], log: Log, names: { next: number }) {
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
      case 'parser':
        declareParser(app, step, name, log)
        break
      case 'serializer':
        app.setReplySerializer(toSerializer(step.fails, name, log) as never)
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
  if (step.check) {
    options.schema = { querystring: {} }
    options.validatorCompiler = toValidatorCompiler(step.check, name, log)
    options.attachValidation = step.attachValidation
  }
  attempt(name, log, () => app.route(options as never))
}

function declareParser(app: FastifyInstance, step: ParserStep, name: string, log: Log): void {
  const type = step.type === 'text/*' ? /^text\// : step.type
  const parser: Callable = toParser(step.end, name, log)
  attempt(name, log, () => {
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser(type, { parseAs: 'string' }, parser as never)
  })
}

function declareNotFound(app: FastifyInstance, step: NotFoundStep, name: string, log: Log): void {
  const options: Record<string, unknown> = {}
  addHooks(options, step.hooks, name, log)
  // A 404 handler that calls itself isn't worth a random test.
  const end = step.end === 'notFound' ? 'send' : step.end
  const handler = toHandler(end, name, log)
  attempt(name, log, () => app.setNotFoundHandler(options as never, handler as never))
}

function attempt(name: string, log: Log, action: () => unknown): void {
  try {
    action()
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
