/** Deployments to workerd name what it refuses at start, and `--late-boot` lets the first request do it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Diagnostic } from '../../compiler/index.ts'
import { serveConfig } from '../support/workerd.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

function refusedAtStart(shop: Workshop, more: readonly string[]): readonly Diagnostic[] {
  return shop
    .warnings('deploy', 'app.js', '--target', 'workerd', '--out', 'out', ...more)
    .filter(({ code }) => code === 'AOT_REFUSED_AT_START')
}

/** Code that runs when a package is loaded, with its description in the warning. */
const work = {
  timer: ['setInterval(() => undefined, 60_000)', 'starts a timer'],
  'random values': ['crypto.randomUUID()', 'makes random values'],
  'random bytes': [`process.getBuiltinModule('crypto').randomBytes(4)`, 'makes random values'],
  request: [`fetch('http://127.0.0.1:9').catch(() => undefined)`, 'sends a request'],
} as const

const routes = `app.register(busy)
  app.get('/', async () => ({ kind: app.kind }))`

/** Ways in which an entry provides its application. */
const entries = {
  instance: `const app = framework()
  ${routes}
  export default app`,
  'named instance': `export const app = framework()
  ${routes}`,
  'awaiting instance': `const app = framework()
  await app.register(busy)
  app.get('/', async () => ({ kind: app.kind }))
  export default app`,
  factory: `export default async function build() {
  const app = framework()
  ${routes}
  return app
}`,
  plugin: `export default async function (app) {
  ${routes}
}`,
  CommonJS: `module.exports = () => {
  const app = framework()
  ${routes}
  return app
}`,
}

const imports = `import framework from 'framework/5'\nimport busy from 'busy'\n`
const requires = `const framework = require('framework/5')\nconst busy = require('busy')\n`

const kinds = Object.keys(work) as (keyof typeof work)[]
for (const [index, [name, text]] of Object.entries(entries).entries()) {
  const kind = kinds[index % kinds.length] as keyof typeof work
  const [code, what] = work[kind]
  test(`a package that needs the platform when it is loaded (${kind}) is named, and works late: ${name}`, async (t) => {
    const [type, head, out] =
      name === 'CommonJS'
        ? ['commonjs', requires, 'module.exports =']
        : ['module', imports, 'export default']
    const shop = createWorkshop(t, 'cli/empty', {
      'package.json': { private: true, type },
      'app.js': `${head}${text}\n`,
      'node_modules/busy/package.json': `{ "name": "busy", "type": "${type}", "exports": "./a.js" }`,
      'node_modules/busy/a.js': `const made = ${code}
${out} Object.assign(async (app) => { app.decorate('kind', typeof made) }, { [Symbol.for('skip-override')]: true })
`,
    })
    const refused = (...more: string[]): readonly Diagnostic[] => refusedAtStart(shop, more)
    const [first, ...others] = refused()
    assert.deepEqual(others, [])
    assert.equal(first?.at.file, 'node_modules/busy/a.js')
    assert.ok(first?.message.startsWith(`"busy" ${what} while it starts`), first?.message)
    assert.deepEqual(refused('--late-boot'), [])
    const { port, stop } = await serveConfig(join(shop.folder, 'out'), 'config.capnp')
    try {
      for (let i = 0; i < 2; i++) {
        const response = await fetch(`http://127.0.0.1:${port}`)
        assert.equal(response.status, 200)
        assert.match(await response.text(), /^\{"kind":"(?:object|string)"\}$/)
      }
    } finally {
      await stop()
    }
  })
}

test('timers of Fastify are not named: `framework` takes its place', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'app.js': `import fastify from 'fastify'
export const app = fastify()
app.register(async (inner) => inner.get('/', async () => 1))
`,
  })
  shop.install('fastify')
  assert.deepEqual(refusedAtStart(shop, []), [])
})

test('a package is named by its own file, even if its source map names another one', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'app.js': `import framework from 'framework/5'
import { id } from 'mapped'
export const app = framework()
export class Counter {}
app.get('/', async () => id)
`,
    'node_modules/mapped/package.json': '{ "name": "mapped", "type": "module", "main": "a.js" }',
    'node_modules/mapped/a.js':
      'export const id = crypto.randomUUID()\n//# sourceMappingURL=a.js.map\n',
    'node_modules/mapped/a.js.map':
      '{ "version": 3, "sources": ["../source/a.ts"], "names": [], "mappings": "AAAA" }',
  })
  const [first] = refusedAtStart(shop, [])
  assert.equal(first?.at.file, 'node_modules/mapped/a.js')
  assert.match(first?.message ?? '', /^"mapped" makes random values/)
})

test('an entry that awaits before it listens is postponed as a whole', async (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'app.js': `import framework from 'framework/5'
const app = framework()
const id = crypto.randomUUID()
app.get('/', async () => ({ length: id.length }))
await app.listen({ port: 3000 })
`,
  })
  assert.match(refusedAtStart(shop, [])[0]?.message ?? '', /Deploy with `--late-boot`/)
  assert.deepEqual(refusedAtStart(shop, ['--late-boot']), [])
  const { port, stop } = await serveConfig(join(shop.folder, 'out'), 'config.capnp')
  try {
    assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), '{"length":36}')
  } finally {
    await stop()
  }
})

test('work of functions is named with the option that postpones it, and requests may do it', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'app.js': `import framework from 'framework/5'
export const app = framework()
app.register(async (inner) => {
  setTimeout(() => undefined, 1)
  inner.get('/', async () => setTimeout(() => undefined, 1) && crypto.randomUUID())
})
`,
  })
  const [first, ...others] = refusedAtStart(shop, [])
  assert.deepEqual(others, [])
  assert.deepEqual([first?.at.file, first?.at.line, first?.at.column], ['app.js', 4, 3])
  assert.match(first?.message ?? '', /^The application starts a timer.*Deploy with `--late-boot`/)
})
