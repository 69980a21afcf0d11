/** What a booted application declares, and the same out of a scanned one. */
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ContextNode, ContextTree } from '../../compiler/model.ts'
import { plainOf } from './scan-plain.ts'

export interface BootedRoute {
  readonly methods: readonly string[]
  readonly url: string
  readonly exposeHeadRoute: boolean
  readonly schema: unknown
}

export interface BootedContext {
  readonly prefix: string
  /** All that the context sees, by `$id`. */
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

const run = promisify(execFile)

export interface BootOptions {
  /** What the entry exports, where it is not a factory function; `plugin`, `factory <name>`, `class <name>`. */
  readonly boots?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Boots an entry file on the real Fastify in a process of its own. */
export async function bootOnFastify(
  entry: string,
  options: BootOptions = {},
): Promise<BootedContext> {
  const program = fileURLToPath(new URL('./scan-boot.js', import.meta.url))
  const args = [program, entry, ...(options.boots?.split(' ') ?? [])]
  const { stdout } = await run(process.execPath, args, {
    // Where an application finds files that are not modules.
    cwd: dirname(entry),
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'test',
      FASTIFY_AUTOLOAD_TYPESCRIPT: '1',
      ...options.env,
    },
    maxBuffer: 1 << 26,
  })
  return JSON.parse(stdout) as BootedContext
}

/** The tree in the terms of a booted application. */
export function toBooted(tree: ContextTree): BootedContext {
  // As JSON prints it: a missing schema is no member.
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

/** In an order of its own: autoload registers folders as fast as it can read them. */
export function sortContexts(context: BootedContext): BootedContext {
  const children = context.children.map(sortContexts)
  return {
    ...context,
    children: children.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  }
}
