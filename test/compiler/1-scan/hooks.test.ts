/** The hooks that the scan lists for each route are those that run on Fastify, in the same order. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { scan } from '../../../compiler/1-scan/index.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import type { ContextNode, SeenHook } from '../../../compiler/model/index.ts'
import { requestHooks } from '../../../compiler/model/request-hooks.ts'
import { writeAll } from '../../support/folders.ts'

// Inside the checkout, where `fastify` resolves.
const folder = fileURLToPath(new URL(`../../../hooks-${process.pid}/`, import.meta.url))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Hooks record their names when they run. */
const lib = [
  'export const ran = []',
  ...['a', 'b', 'c', 'd'].map((name) => `export async function ${name}() { ran.push('${name}') }`),
].join('\n')

const head = [
  "import fastify from 'fastify'",
  "import plugin from 'fastify-plugin'",
  "import { ran, a, b, c, d } from './lib.js'",
  'export { ran }',
  'export default function createApp() {',
  'const app = fastify()',
]

const applications: Readonly<Record<string, readonly string[]>> = {
  'hooks of contexts, inherited and of wrapped plugins': [
    "app.addHook('onRequest', a)",
    "app.register(plugin(async (same) => same.addHook('onRequest', b)))",
    "app.register(async (child) => child.addHook('preHandler', c).get('/r1', () => ran))",
    "app.get('/r2', () => ran)",
  ],
  'hooks that are added after a route, and to a parent after its child': [
    "app.register(async (child) => child.get('/r1', () => ran))",
    "app.get('/r2', () => ran)",
    "app.addHook('onRequest', a)",
    "app.after(() => app.addHook('onRequest', b))",
    "app.addHook('preHandler', c)",
  ],
  'hooks of routes, single and in lists, and decorators': [
    "app.decorate('check', d)",
    "app.addHook('preHandler', a)",
    "app.get('/r1', { preHandler: b }, () => ran)",
    "app.get('/r2', { preHandler: [c, app.check, b], onRequest: app.check }, () => ran)",
    "app.get('/r3', { preHandler: undefined }, () => ran)",
  ],
  'onRoute hooks that change the hooks of routes': [
    "app.addHook('onRoute', (route) => {",
    "  if (route.url === '/r1') route.preHandler = [a].concat(route.preHandler ?? [])",
    '})',
    "app.get('/r1', { preHandler: [b] }, () => ran)",
    "app.get('/r2', () => ran)",
  ],
}

for (const [i, [title, lines]] of Object.entries(applications).entries()) {
  test(title, async () => {
    const root = join(folder, String(i))
    const text = [...head, ...lines, 'return app', '}'].join('\n')
    writeAll(root, { 'package.json': { type: 'module' }, 'lib.js': lib, 'app.js': text })
    const routes = await scannedHooks(join(root, 'app.js'), root)
    const { default: create, ran } = (await import(pathToFileURL(join(root, 'app.js')).href)) as {
      default: () => FastifyInstance
      ran: string[]
    }
    const app = create()
    assert.ok(routes.size > 0)
    for (const [url, hooks] of routes) {
      ran.length = 0
      assert.equal((await app.inject(url)).statusCode, 200)
      assert.deepEqual(
        hooks.map(({ function: name }) => name),
        ran.map((name) => `lib.js#${name}`),
        url,
      )
    }
    await app.close()
  })
}

test('names decorators, and says why a hook is not known', async () => {
  const root = join(folder, 'unknown')
  const lines = [
    "app.decorate('check', async () => {})",
    "app.get('/r1', { preHandler: [app.check, app.auth([a])] }, () => ran)",
  ]
  const text = [...head, ...lines, 'return app', '}'].join('\n')
  writeAll(root, { 'package.json': { type: 'module' }, 'lib.js': lib, 'app.js': text })
  const hooks = (await scannedHooks(join(root, 'app.js'), root)).get('/r1') ?? []
  assert.deepEqual(
    hooks.map(({ decorator, unknown }) => ({ decorator, unknown })),
    [
      { decorator: 'check', unknown: undefined },
      {
        decorator: undefined,
        unknown: '`auth` of the instance exists only when the application runs',
      },
    ],
  )
})

/** Returns the hooks of GET routes in the order in which they run, by URL. */
async function scannedHooks(entry: string, root: string): Promise<Map<string, SeenHook[]>> {
  const graph = await scan({ entry, root, out: '' }, () => undefined)
  assert.ok(graph)
  const found = new Map<string, SeenHook[]>()
  const visit = ({ hooks: ofContext = [], routes, children }: ContextNode): void => {
    for (const { url, hooks = [] } of routes) {
      const all = [...ofContext, ...hooks]
      found.set(
        url,
        requestHooks.flatMap((kind) => all.filter(({ hook }) => hook === kind)),
      )
    }
    children.forEach(visit)
  }
  visit(buildTree(graph, () => undefined).root)
  return found
}
