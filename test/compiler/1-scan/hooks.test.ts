/** The hooks that the scan lists for each route are those that run on Fastify, in the same order. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { scan } from '../../../compiler/1-scan/index.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import type { SeenHook } from '../../../compiler/model/index.ts'
import { writeAll } from '../../support/folders.ts'
import { hooksOfRoutes } from '../../support/random-apps/check.ts'

// Inside the checkout, where `fastify` resolves.
const folder = fileURLToPath(new URL(`../../../hooks-${process.pid}/`, import.meta.url))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Hooks record their names when they run. */
const lib = [
  'export const ran = []',
  'export const made = (name) => async () => { ran.push(name) }',
  ...['a', 'b', 'c', 'd'].map((name) => `export async function ${name}() { ran.push('${name}') }`),
].join('\n')

const head = [
  "import fastify from 'fastify'",
  "import plugin from 'fastify-plugin'",
  "import { ran, a, b, c, d, made } from './lib.js'",
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
  'onRoute hooks that change the hooks of GET routes, or of their HEAD routes': [
    "app.addHook('onRoute', (route) => {",
    "  if (route.method === 'GET') route.preHandler = a",
    "  if (route.method === 'HEAD') route.onRequest = [b, c]",
    '})',
    "app.get('/r1', { preHandler: [b] }, () => ran)",
    "app.head('/r2', { preHandler: [b] }, () => ran)",
    "app.get('/r2', () => ran)",
  ],
  'bound hooks, hooks of loops and of lists that are spread': [
    "for (const kind of ['onRequest', 'preValidation']) app.addHook(kind, a.bind(app))",
    "app.get('/r1', { preHandler: [...[c, d], b.bind(null)] }, () => ran)",
    "app.decorate('check', d)",
    "app.get('/r2', { preHandler: [app.check.bind(app)] }, () => ran)",
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
    for (const [title, hooks] of routes) {
      ran.length = 0
      const [method, url] = title.split(' ') as ['GET' | 'HEAD', string]
      assert.equal((await app.inject({ method, url })).statusCode, 200)
      assert.deepEqual(
        hooks.map(({ function: name }) => name),
        ran.map((name) => `lib.js#${name}`),
        title,
      )
    }
    await app.close()
  })
}

/** Functions and unknown hooks of GET /r1. */
const named: Readonly<Record<string, readonly [line: string, expected: readonly object[]]>> = {
  'a decorator, and one that is not known': [
    "app.decorate('check', async () => {}).get('/r1', { preHandler: [app.check, app.auth([a])] }, a)",
    [
      { decorator: 'check' },
      {
        decorator: 'auth()',
        unknown: '`auth` of the instance exists only when the application runs',
      },
    ],
  ],
  // Fastify 4 ignores `undefined` here.
  'a misspelt decorator': [
    "app.decorate('check', a).get('/r1', { preHandler: app.chek }, a)",
    [
      {
        decorator: 'chek',
        unknown: '`chek` of the instance exists only when the application runs',
      },
    ],
  ],
  'the function that returns it': [
    "app.get('/r1', { preHandler: made('x') }, a)",
    [{ function: 'lib.js#made()' }],
  ],
  'names under which files export it': [
    "app.addHook('onRequest', guard).addHook('onRequest', alias).get('/r1', a)",
    [
      { function: 'names.js#authenticate', aliases: ['index.js#auth', 'index.js#authenticate'] },
      { function: 'lib.js#b', aliases: ['index.js#second'] },
    ],
  ],
  'a local function, and one that an export hides': [
    "{ const a = async () => {}; async function local() {}; app.get('/r1', { preHandler: [a, local, getHidden()] }, a) }",
    [{ function: 'app.js#a' }, { function: 'app.js#local' }, {}],
  ],
  'a hook of a kind that is not known': [
    "app.addHook(process.env.KIND, a).get('/r1', a)",
    [{ hook: '*', unknown: 'the name of this hook is not known' }],
  ],
  'an instance for code that is not known': [
    "import('fast-json-stringify').then((other) => other.setUp(app)); app.get('/r1', a)",
    [{ hook: '*', unknown: 'code outside of the source gets the instance' }],
  ],
  'a function of a package': [
    "app.addHook('onRequest', semver.valid).get('/r1', { preHandler: semver.clean }, a)",
    [{ package: 'semver' }, { package: 'semver', unknown: 'it is the value of a package' }],
  ],
  'a condition': [
    "if (process.env.SAFE) app.addHook('onRequest', a)\napp.get('/r1', a)",
    [{ function: 'lib.js#a', isConditional: true }],
  ],
}

const names = [
  'const check = async () => {}',
  'export { check as authenticate }',
  'const hidden = { async authenticate() {} }',
  'export const getHidden = () => hidden.authenticate',
  'export function unused() {}',
].join('\n')

for (const [i, [title, [line, expected]]] of Object.entries(named).entries()) {
  test(`names ${title}`, async () => {
    const root = join(folder, `named-${i}`)
    const imports = [
      "import { auth as guard, second as alias } from './index.js'",
      "import { getHidden } from './names.js'",
      "import semver from 'semver'",
    ]
    const text = [...imports, ...head, line, 'return app', '}'].join('\n')
    const index =
      "export * from './names.js'; export { authenticate as auth } from './names.js'; export { b as second } from './lib.js'"
    writeAll(root, {
      'package.json': { type: 'module' },
      'lib.js': lib,
      'names.js': names,
      'index.js': index,
      'app.js': text,
    })
    const hooks = (await scannedHooks(join(root, 'app.js'), root)).get('GET /r1') ?? []
    const found = hooks.map((hook) => {
      const { function: name, aliases, decorator, package: of, unknown, isConditional } = hook
      return {
        ...(hook.hook === '*' && { hook: '*' }),
        ...(name !== undefined && { function: name }),
        ...(aliases && { aliases }),
        ...(decorator !== undefined && { decorator }),
        ...(of !== undefined && { package: of }),
        ...(unknown !== undefined && { unknown }),
        ...(isConditional && { isConditional }),
      }
    })
    assert.deepEqual(found, expected)
  })
}

/** Returns the hooks of GET and HEAD routes in the order in which they run, by method and URL. */
async function scannedHooks(
  entry: string,
  root: string,
): Promise<ReadonlyMap<string, readonly SeenHook[]>> {
  const graph = await scan({ entry, root, out: '' }, () => undefined)
  assert.ok(graph)
  const { root: context } = buildTree(graph, () => undefined)
  return new Map([...hooksOfRoutes(context)].map(({ title, hooks }) => [title, hooks]))
}
