/** Boots applications on the real Fastify, and converts scanned ones to the same form. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ContextNode, ContextTree } from '../../compiler/model/index.ts'
import { nextMessage } from './next-message.ts'
import { plainOf } from './plain-values.ts'

export interface BootedRoute {
  readonly methods: readonly string[]
  readonly url: string
  readonly exposeHeadRoute: boolean
  readonly schema: unknown
}

export interface BootedContext {
  readonly prefix: string
  /** All schemas that the context sees, by `$id`. */
  readonly schemas: unknown
  readonly routes: readonly BootedRoute[]
  readonly children: readonly BootedContext[]
}

/** Which compiler a part of a route was given to. */
export interface BootedUse {
  readonly methods: readonly string[]
  readonly url: string
  /** `body`, `headers`, `params`, `querystring`, `response`. */
  readonly part: string
  readonly compiledBy: 'default' | 'own'
}

/** The hooks of a route as they run: `onRequest authenticate`. */
export interface BootedHooks {
  /** Methods and URL. */
  readonly title: string
  readonly names: readonly string[]
}

export interface BootOptions {
  /** The kind of export, if it isn't a factory function: `plugin`, `factory <name>`, `class <name>`. */
  readonly boots?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A message to a process that boots applications. */
export interface BootRequest {
  readonly entry: string
  readonly boots: string | undefined
}

export interface Booted {
  readonly root: BootedContext
  readonly twins: readonly { url: string; schema: unknown }[]
  readonly uses: readonly BootedUse[]
  readonly hooks: readonly BootedHooks[]
}

export type BootResult = Booted | { readonly failure: string }

/** The processes that boot applications, by their environment. Each promise resolves when the process is idle. */
const booters = new Map<string, Promise<ChildProcess | undefined>>()

/** Boots an entry file on the real Fastify, in another process. */
export async function bootOnFastify(
  entry: string,
  options: BootOptions = {},
): Promise<BootedContext> {
  const result = await boot(entry, options)
  if ('failure' in result) throw new Error(result.failure)
  return result.root
}

/** The same, with HEAD routes and the compilers that parts of routes were given to. */
export async function boot(
  entry: string,
  { boots, env = {} }: BootOptions = {},
): Promise<BootResult> {
  const key = JSON.stringify(env)
  const turn = Promise.resolve(booters.get(key)).then(async (idle) => {
    const booter = idle ?? startBooter(env)
    return { booter, result: await askToBoot(booter, { entry, boots }) }
  })
  booters.set(
    key,
    turn.then(
      ({ booter }) => booter,
      () => undefined,
    ),
  )
  return (await turn).result
}

function startBooter(env: Readonly<Record<string, string>>): ChildProcess {
  const booter = fork(fileURLToPath(new URL('./scan-boot.js', import.meta.url)), {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'test',
      FASTIFY_AUTOLOAD_TYPESCRIPT: '1',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // It ends with this process.
  booter.unref()
  return booter
}

async function askToBoot(booter: ChildProcess, request: BootRequest): Promise<BootResult> {
  booter.channel?.ref()
  booter.send(request)
  try {
    return await nextMessage<BootResult>(booter)
  } finally {
    booter.channel?.unref()
  }
}

/** Converts a tree to the form of a booted application. */
export function toBooted(tree: ContextTree): BootedContext {
  // As in JSON: without members that are `undefined`.
  return JSON.parse(JSON.stringify(convert(tree.root, {}))) as BootedContext
}

function convert(
  context: ContextNode,
  inherited: Readonly<Record<string, unknown>>,
): BootedContext {
  const visible: Record<string, unknown> = { ...inherited }
  for (const { id, schema } of context.schemas) visible[id] = schema.value
  const routes = context.routes.map(({ methods, url, exposeHeadRoute, schema }) => ({
    methods,
    url,
    exposeHeadRoute,
    schema: schema === undefined ? undefined : plainOf(schema.value),
  }))
  return {
    prefix: context.prefix,
    schemas: plainOf(visible),
    routes,
    children: context.children.map((child) => convert(child, visible)),
  }
}

/** One line per route, for applications whose branches are compared one by one. */
export function flatten(context: BootedContext, trail = ''): string[] {
  const here = `${trail}>${context.prefix}`
  return [
    ...context.routes.map((route) => JSON.stringify({ here, ...route, schemas: context.schemas })),
    ...context.children.flatMap((child) => flatten(child, here)),
  ]
}

/** Sorts contexts, because autoload registers folders in the order in which it has read them. */
export function sortContexts(context: BootedContext): BootedContext {
  const children = context.children.map(sortContexts)
  return {
    ...context,
    children: children.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  }
}
