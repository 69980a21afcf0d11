/** The boot in the sandbox completes the hooks that the scan finds: with it, the hooks of each route are those that run on Fastify. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { compile } from '../../../compiler/compile.ts'
import type { SeenHook } from '../../../compiler/model/index.ts'
import { writeAll } from '../../support/folders.ts'
import { hooksOfRoutes } from '../../support/random-apps/check.ts'
import { boot } from '../../support/scan-oracle.ts'

// Inside the checkout, where the packages resolve.
const folder = fileURLToPath(new URL(`../../../../booted-hooks-${process.pid}/`, import.meta.url))
after(() => rmSync(folder, { recursive: true, force: true }))

const head = [
  "import fastify from 'fastify'",
  "import plugin from 'fastify-plugin'",
  "import { a, b, c } from './lib.js'",
  'export default async function createApp() {',
  'const app = fastify()',
]

const lib = ['a', 'b', 'c'].map((name) => `export async function ${name}() {}`).join('\n')

const applications: Readonly<Record<string, readonly string[]>> = {
  'plugins between hooks of the application': [
    "app.addHook('onRequest', a)",
    "app.register(import('@fastify/helmet'))",
    "app.addHook('onRequest', b)",
    "app.register(import('@fastify/cors'))",
    "app.register(async (child) => child.addHook('onRequest', c).get('/r1', a))",
    "app.get('/r2', { onSend: b }, a)",
  ],
  'a plugin that gives hooks to routes': [
    "await app.register(import('@fastify/rate-limit'), { max: 5 })",
    "app.get('/r1', { preHandler: [b], onRequest: c }, a)",
    "app.get('/r2', { config: { rateLimit: false } }, a)",
    "app.register(async (child) => child.get('/r3', a).post('/r4', { onRequest: [a, b] }, a))",
  ],
  'decorators of plugins': [
    "app.register(import('@fastify/basic-auth'), { validate: b })",
    "app.register(import('@fastify/auth'))",
    'app.after(() => {',
    "app.get('/r1', { onRequest: app.basicAuth }, a)",
    "app.get('/r2', { preHandler: [c, app.auth([a, b]), b] }, a)",
    "app.addHook('preParsing', app.basicAuth)",
    '})',
  ],
  'plugins in a context of their own, and one that is registered late': [
    "app.register(async (child) => { child.register(import('@fastify/cookie')); child.get('/r1', a) })",
    "app.get('/r2', a)",
    "app.register(import('@fastify/under-pressure'))",
  ],
  'lines of a chain': [
    'app',
    "  .addHook('onRequest', a)",
    "  .addHook('onRequest', b)",
    "  .register(import('@fastify/helmet'))",
    "  .addHook('preHandler', c)",
    "  .get('/r1', a)",
  ],
  'hooks of a kind that the source does not show': [
    "for (const kind of JSON.parse(await (await import('node:fs/promises')).readFile(new URL('kinds.json', import.meta.url), 'utf8'))) app.addHook(kind, a)",
    "app.get('/r1', a)",
  ],
}

for (const [i, [title, lines]] of Object.entries(applications).entries()) {
  test(title, async () => {
    const entry = write(String(i), lines)
    const found = await hooksOf(entry, true)
    const booted = await boot(entry)
    assert.ok('hooks' in booted, JSON.stringify(booted))
    const names = new Map(
      [...found].map(([route, hooks]) => [route, hooks.map(({ hook, name }) => `${hook} ${name}`)]),
    )
    // Builds leave out routes of packages without schemas, such as `OPTIONS *`.
    const listed = booted.hooks.filter(({ title: route }) => names.has(route))
    assert.equal(listed.length, names.size)
    for (const { title: route, names: expected } of listed)
      assert.deepEqual(names.get(route), expected, route)
    assert.ok(booted.hooks.some(({ names: expected }) => expected.length > 0))
    const all = [...found.values()].flat()
    assert.deepEqual(
      all.filter(({ unknown, isConditional }) => unknown !== undefined || isConditional),
      [],
    )
  })
}

for (const hasSource of [false, true])
  test(`published JavaScript ${hasSource ? 'beside' : 'without'} the source that its source map names`, async () => {
    const source = [
      ...head,
      "app.addHook('onRequest', a)",
      "app.register(import('@fastify/helmet'))",
      "app.get('/r1', { preHandler: [b, c] }, a)",
      'return app }',
    ].join('\n')
    const name = `published-${hasSource}`
    const entry = write(name, [])
    const { code } = transformSync(`type Unused = {\n}\n${source}`, {
      loader: 'ts',
      sourcemap: 'inline',
      sourcefile: join(folder, name, 'src/app.ts'),
    })
    writeAll(join(folder, name), { 'app.js': code, ...(hasSource && { 'src/app.ts': source }) })
    const hooks = (await hooksOf(entry, true)).get('GET /r1') ?? []
    assert.deepEqual(
      hooks.map(({ hook, name: of, isConditional }) => [hook, of, isConditional]),
      [
        ['onRequest', 'a', false],
        ['onRequest', '', false],
        ['onRequest', '', false],
        ['preHandler', 'b', false],
        ['preHandler', 'c', false],
      ],
    )
  })

test('knows packages and decorators', async () => {
  const entry = write('packages', [
    "app.register(import('@fastify/helmet'))",
    "await app.register(import('@fastify/rate-limit'))",
    "app.register(import('@fastify/basic-auth'), { validate: b })",
    "app.after(() => app.get('/r1', { preHandler: app.basicAuth }, a))",
  ])
  const hooks = (await hooksOf(entry, true)).get('GET /r1') ?? []
  assert.deepEqual(
    hooks.map(({ hook, package: of, decorator }) => [hook, of, decorator]),
    [
      ['onRequest', '@fastify/helmet', undefined],
      ['onRequest', '@fastify/helmet', undefined],
      ['onRequest', '@fastify/rate-limit', undefined],
      ['preHandler', '@fastify/basic-auth', 'basicAuth'],
    ],
  )
})

test('leaves what another environment may change', async () => {
  const lines = [
    "if (process.env.SAFE) app.addHook('onRequest', a)",
    "app.register(import('@fastify/helmet'))",
    "if (process.env.SAFE) app.register(import('@fastify/cors'))",
    "app.addHook('preHandler', process.env.SAFE ? a : b)",
    "app.get('/r1', { preHandler: app.chek }, a)",
  ]
  const entry = write('varied', lines)
  const hooks = (await hooksOf(entry, true)).get('GET /r1') ?? []
  const open = hooks.filter(({ unknown, isConditional }) => unknown !== undefined || isConditional)
  assert.deepEqual(
    open.map(({ hook, name, package: of, decorator }) => [hook, of ?? decorator ?? name]),
    [
      ['onRequest', 'a'],
      ['onRequest', '@fastify/cors'],
      ['preHandler', 'b'],
      ['preHandler', 'a'],
      ['preHandler', 'chek'],
    ],
  )
})

test('keeps what routes are compiled to', async () => {
  const entry = write('compiled', [
    "app.register(import('@fastify/helmet'))",
    "app.post('/r1', { schema: { body: { type: 'object' } } }, a)",
    "app.get('/r2', { schema: { response: { 200: { type: 'string' } } } }, a)",
  ])
  const { artifact } = await compile({ entry, boot: true, cache: false })
  const parts = artifact?.manifest.routes.map(({ method, url, validators, serializers }) => [
    `${method} ${url}`,
    ...Object.keys({ ...validators, ...serializers }),
  ])
  assert.deepEqual(parts, [
    ['POST /r1', 'body'],
    ['GET /r2', '200'],
    ['HEAD /r2', '200'],
  ])
})

test('without it, plugins of packages may add any', async () => {
  const entry = write('unbooted', ["app.register(import('@fastify/helmet'))", "app.get('/r1', a)"])
  for (const isBooted of [false, true]) {
    const { artifact } = await compile({ entry, boot: isBooted, cache: false })
    const [root] = artifact?.manifest.contexts ?? []
    assert.deepEqual(
      root?.plugins?.map(({ name, areHooksKnown }) => [name, areHooksKnown]),
      [['@fastify/helmet', isBooted || undefined]],
    )
  }
})

function write(name: string, lines: readonly string[]): string {
  const root = join(folder, name)
  writeAll(root, {
    'package.json': { type: 'module' },
    'kinds.json': '["onRequest", "preHandler"]',
    'lib.js': lib,
    'app.js': [...head, ...lines, 'return app', '}'].join('\n'),
  })
  return join(root, 'app.js')
}

/** Returns the hooks of routes and of their HEAD twins, by methods and URL. */
async function hooksOf(
  entry: string,
  isBooted: boolean,
): Promise<ReadonlyMap<string, readonly SeenHook[]>> {
  const { artifact, diagnostics } = await compile({ entry, boot: isBooted, cache: false })
  assert.ok(artifact, JSON.stringify(diagnostics))
  return new Map(
    [...hooksOfRoutes(artifact.tree.root)].map(({ title, hooks }) => [title, hooks] as const),
  )
}
