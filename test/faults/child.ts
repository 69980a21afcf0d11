/**
 * Runs cases on one framework, in a process of its own: `child.js <package>`. It is sent a Task for each.
 *
 * On ours nothing keeps the process alive that would not be there in production: who dies, dies. On Fastify an error that
 * would end the process is noted.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { cells, endsOf, type Cell } from './cells.ts'
import type { Call } from './ends.ts'
import { exchange, type Exchange } from './exchange.ts'
import { hosted, prepareHost } from './hosts.ts'
import { surround } from './scene.ts'
import type { Scene, Site } from './kinds.ts'
import { sites } from './sites.ts'

/** A message to the process. */
export interface Task {
  readonly index: number
  /** Milliseconds that an answer may take. */
  readonly patience: number
}

export interface Outcome extends Exchange {
  /** The errors that would have ended the process. */
  readonly escaped: readonly string[]
  /** How often the function was called while it had to fail. */
  readonly faults: number
  readonly isClosed: boolean
  /** Handles and requests that are still open after everything was closed. */
  readonly leaks: readonly string[]
}

type Factory = (options?: object) => FastifyInstance

const [, , name = ''] = process.argv
const isOracle = name.startsWith('fastify')
const factory = await load()
/** Number of turns in which leftovers of a fault show. */
const AFTERMATH = 12

let escaped: string[] = []
if (isOracle) {
  const note = (error: unknown): void => void escaped.push(messageOf(error))
  process.on('uncaughtException', note).on('unhandledRejection', note)
}

// Modules that load with a first exchange aren't leaks.
for (const transport of ['http1', 'http2', 'inject'] as const) {
  await run({ site: 'handler', end: 'throw', pace: 'sync', transport }, 5000)
}
process.on('message', ({ index, patience }: Task) => {
  const fail = (error: Error): object => ({ died: error.stack })
  void run(cells[index]!, patience)
    .catch(fail)
    .then((outcome) => process.send?.(outcome))
    .then(() => process.send?.(null))
})
process.send?.('ready')

async function load(): Promise<Factory> {
  // Some sites have schemas, which are compiled in process.
  if (!isOracle) await import('framework/development')
  return ((await import(name)) as { default: Factory }).default
}

async function run(cell: Cell, patience: number): Promise<Outcome> {
  escaped = []
  const before = resources()
  const site = sites.get(cell.site)!
  const end = endsOf(site).get(cell.end)!
  let isArmed = false
  let faults = 0
  const scene: Scene = {
    pace: cell.pace,
    fault(call) {
      if (!isArmed) return normal(call)
      faults++
      // A fault in a function that runs for each answer would repeat without end.
      if (end.needs.includes('reply')) isArmed = false
      return end.run(call)
    },
  }
  let reach = (): void => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const app = await start(site, scene, cell, reach)
  isArmed = true
  const result = await exchange(app, cell.transport, site.ask ?? 'post', {
    patience,
    reached,
    async settled() {
      // A connection that breaks is noticed later.
      const deadline = Date.now() + 500
      while (site.ask === 'abort' && faults === 0 && Date.now() < deadline) await turn()
      for (let i = 0; i < AFTERMATH; i++) await turn()
      isArmed = false
    },
  })
  isArmed = false
  const isClosed = await closes(app)
  return { ...result, escaped, faults, isClosed, leaks: await leaksSince(before) }
}

function messageOf(error: unknown): string {
  try {
    return String((error as Error).message)
  } catch {
    return 'something that is no error'
  }
}

function normal({ done, value }: Call): unknown {
  if (!done) return value
  done(null, value)
  return undefined
}

async function start(
  site: Site,
  scene: Scene,
  cell: Cell,
  onRequest: () => void,
): Promise<FastifyInstance> {
  const { logger, ...options }: FastifyServerOptions = site.options?.(scene) ?? {}
  // Fastify 5 has another option for instances.
  const isInstance = name.endsWith('5') && Object.hasOwn(Object(logger), 'child')
  const app = factory({
    ...options,
    [isInstance ? 'loggerInstance' : 'logger']: logger,
    ...(cell.transport === 'http2' ? { http2: true } : {}),
    forceCloseConnections: cell.transport !== 'http2',
  })
  app.get('/ok', (_request, reply) => {
    reply.send('ok')
  })
  app.register(async (context) => {
    context.addHook('onRequest', (_request, _reply, done) => {
      onRequest()
      done()
    })
    surround(context, scene.pace)
    site.declare?.(context, scene)
    context.route({
      method: 'POST',
      url: '/fault/:id',
      ...site.route?.(scene),
      handler: ((request: FastifyRequest, reply: FastifyReply) => {
        if (site.handler) return site.handler(scene, request, reply)
        reply.send({ a: 1 })
        return undefined
      }) as never,
    })
  })
  const host = hosted.find((each) => each === cell.transport)
  if (host !== undefined) await prepareHost(app, host)
  if (cell.transport === 'http1' || cell.transport === 'http2') {
    await app.listen({ port: 0, host: '127.0.0.1' })
  } else {
    await app.ready()
  }
  return app
}

async function closes(app: FastifyInstance): Promise<boolean> {
  let isClosed = false
  void app.close().then(() => (isClosed = true))
  const deadline = Date.now() + (isOracle ? 200 : 3000)
  while (!isClosed && Date.now() < deadline) await turn()
  return isClosed
}

/** The resources that keep the process alive, besides the channel to its parent and permanent ones. */
function resources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => !/Pipe|Immediate|TTY/.test(name))
}

async function leaksSince(before: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + (isOracle ? 50 : 2000)
  for (;;) {
    const rest = resources()
    for (const name of before) {
      const at = rest.indexOf(name)
      if (at !== -1) rest.splice(at, 1)
    }
    if (rest.length === 0 || Date.now() > deadline) return rest
    await turn()
  }
}
