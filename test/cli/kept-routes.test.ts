/** What an earlier build has made of routes is what a build makes of them anew, after whatever edits. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { build, type BuildResult } from '../../compiler/index.ts'
import { runs } from '../support/runs.ts'

interface Warm {
  readonly write: (text: string) => void
  /** Builds with what is kept and without, and compares. @returns whether the source was scanned */
  readonly step: (title: string) => Promise<boolean | undefined>
}

function createWarm(t: TestContext): Warm {
  const folder = mkdtempSync(join(tmpdir(), 'framework-kept-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
  write('package.json', '{ "private": true, "type": "module" }')
  const options = { entry: join(folder, 'app.js'), out: join(folder, 'warm') }
  return {
    write: (text) => write('app.js', text),
    async step(title) {
      const warm = await build(options)
      const cold = await build({ ...options, out: join(folder, 'cold'), cache: false })
      assert.deepEqual(toldBy(warm), toldBy(cold), title)
      return warm.artifact?.reuse.isScanned
    },
  }
}

function toldBy({ diagnostics, warnings, dynamic, artifact }: BuildResult): object {
  const { parts = [], heads = [] } = artifact?.output ?? {}
  const { manifest } = artifact ?? {}
  return { diagnostics, warnings, dynamic, manifest, files: new Map([...parts, ...heads]) }
}

/** What differs after the edit stands in `<…>`, as `<before|after>`. */
const cases: Readonly<Record<string, string>> = {
  'the first route of all no longer has what gave a compiler its number': `
    app.get('/a', { schema: { <response: { 200: { type: 'string' } },|> params: { type: 'object' } } }, () => '')
    app.register(async (inner) => {
      inner.addSchema({ $id: 'one', type: 'string' })
      inner.get('/b', { schema: { response: { 200: { $ref: 'one#' } } } }, () => '')
    })
    app.get('/c', { schema: { querystring: { n: { type: 'string' } } } }, () => '')`,
  'a route that comes to have what another one has, and the place of it': `
    app.get('/a', { schema: { querystring: { n: { maximum: <1|2>, type: 'integer' } } } }, () => '')
    app.get('/b', { schema: { querystring: { n: { maximum: 2, type: 'integer' } } } }, () => '')
    app.get('/c', { schema: { querystring: { n: { maximum: 3, type: 'integer' } } } }, () => '')`,
  'one schema in contexts where names mean something else': `
    const schema = { body: { $ref: 'one#' }, response: { '2xx': { $ref: 'one#' } } }
    for (const type of ['string', 'integer'])
      app.register(async function inner(inner) {
        inner.addSchema({ $id: 'one', type })
        inner.post('/' + type, { schema }, () => '')
        inner.post('/own-' + type, { schema: { body: { properties: { n: { $ref: 'one#' }, m: { const: <1|2> } } } } }, () => '')
      })`,
  'parts of all kinds': `
    app.addSchema({ $id: 'one', type: 'object', properties: { n: { type: 'integer' } } })
    app.post('/a/:id', { schema: {
      description: 'text', tags: ['a'],
      headers: { type: 'object', properties: { 'X-One': { type: 'integer' } } },
      params: { id: { type: 'integer' } }, query: { n: { type: 'integer' } },
      body: { $ref: 'one#' },
      response: { 200: { description: 'd', content: { 'application/json': { schema: { $ref: 'one#' } }, 'text/x': { schema: { type: 'string' } } } }, '4XX': { type: 'null' }, default: { type: 'string' } },
    } }, () => '')
    app.get('/edited', { schema: { querystring: { n: { const: <1|2> } } } }, () => '')`,
  'something is said of a schema that several routes have': `
    const body = { type: 'object', properties: { n: { type: 'string' }, p: { type: 'string', pattern: { $data: '1/n' } } } }
    app.post('/a', { schema: { body, response: { 200: { type: '<string|null>' } } } }, () => '')
    app.post('/b', { schema: { body: <{ type: 'null' }|{ type: 'object', properties: { n: { type: 'string' }, p: { type: 'string', pattern: { $data: '1/n' } } } }> } }, () => '')
    app.post('/c', { schema: { bodi: { type: 'null' }, body } }, () => '')`,
  'parts that the application compiles itself': `
    app.post('/a', { validatorCompiler: () => () => true, schema: { body: { type: 'null' }, response: { 200: { type: 'string' } } } }, () => '')
    app.register(async (inner) => {
      inner.setSerializerCompiler(() => String)
      inner.post('/b', { schema: { body: { type: 'string' }, response: { 200: { type: 'string' } } } }, () => '')
    })
    app.get('/c', { schema: { querystring: { n: { const: <1|2> } } } }, () => '')`,
  'annotations, which other functions do not depend on': `
    app.get('/a', { schema: { querystring: { n: { type: 'integer', description: '<one|two>' } } } }, () => '')
    app.get('/b', { schema: { querystring: { n: { type: 'integer', description: 'three' } } } }, () => '')`,
  'a function that was made for a schema with the same JSON, which is edited': `
    app.get('/a', { schema: { querystring: { n: { enum: [<0|5>, 3] } } } }, () => '')
    app.get('/b', { schema: { querystring: { n: { enum: [-0, 3] } } } }, () => '')`,
  'a function that was made for an edited schema of which JSON does not say all': `
    const n = { enum: [-0, 1], type: 'number' }
    app.get('/a', { schema: { querystring: { n, m: { const: <1|2> } } } }, () => '')
    app.get('/b', { schema: { querystring: { n: { enum: [0, 1], type: 'number' }, m: { const: 1 } } } }, () => '')`,
  'a schema with the same JSON as one that was compiled can no longer be compiled': `
    app.get('/a', { schema: { querystring: { n: { type: 'number', default: <0|5> } } } }, () => '')
    app.get('/b', { schema: { querystring: { n: { type: 'number', default: 0, x: undefined } } } }, () => '')`,
  'a schema that can no longer be compiled': `
    app.get('/a', { schema: { querystring: { n: { type: '<integer|int>' } } } }, () => '')
    app.get('/b', { schema: { querystring: { n: { type: 'integer' } } } }, () => '')`,
}

for (const [title, body] of Object.entries(cases)) {
  const isRefused = title.endsWith('can no longer be compiled')
  test(title, async (t) => {
    const { write, step } = createWarm(t)
    const textOf = (which: 1 | 2): string =>
      appOf(body.replace(/<([^<|>]*)\|([^<|>]*)>/g, (...found) => String(found[which])))
    const scans: (boolean | undefined)[] = []
    for (const which of [1, 2, 1] as const) {
      write(textOf(which))
      scans.push(await step(`${title}, ${which}`))
    }
    assert.deepEqual(scans, isRefused ? [true, undefined, false] : [true, false, false])
  })
}

const type = fc.constantFrom('string', 'integer', 'boolean', 'null')
const few = fc.nat({ max: 3 })
const schema = fc.oneof(
  fc.tuple(type, few).map(([one, n]) => `{ type: '${one}', title: 't${n}' }`),
  few.map((n) => `{ type: 'object', properties: { n: { enum: [${n}] } } }`),
  fc.constantFrom('one', 'two').map((id) => `{ $ref: '${id}#' }`),
  few.map((n) => `{ type: 'array', items: { $ref: 'one#' }, maxItems: ${n} }`),
)
const part = fc.oneof(
  schema.map((one) => `body: ${one}`),
  schema.map((one) => `querystring: { n: ${one} }`),
  schema.map((one) => `params: { id: ${one} }`),
  schema.map((one) => `response: { 200: ${one} }`),
  fc.tuple(schema, schema).map(([one, other]) => `response: { 200: ${one}, '4xx': ${other} }`),
  type.map((one) => `headers: { h: { type: '${one}' } }`),
)
const nameOf = (one: string): string => one.slice(0, one.indexOf(':'))
const parts = fc
  .uniqueArray(part, { selector: nameOf, maxLength: 3 })
  .map((some) => `{ ${some.join(', ')} }`)
const ROUTES = 12
const edits = fc.array(fc.tuple(fc.nat({ max: ROUTES - 1 }), parts), { minLength: 1, maxLength: 3 })

test('applications at random, and edits at random', async (t) => {
  let [builds, scans] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.array(parts, { minLength: ROUTES, maxLength: ROUTES }),
      fc.array(edits, { minLength: 4, maxLength: 4 }),
      async (routes, steps) => {
        const { write, step } = createWarm(t)
        write(appOf(applicationOf(routes)))
        await step('the first build')
        for (const changes of steps) {
          for (const [i, changed] of changes) routes[i] = changed
          write(appOf(applicationOf(routes)))
          builds++
          if ((await step(JSON.stringify(changes))) !== false) scans++
        }
      },
    ),
    runs(3),
  )
  assert.ok(scans < builds / 4, `${scans} of ${builds} have scanned`)
})

/** @param routes their schemas; a quarter of them stands in each of four contexts */
function applicationOf(routes: readonly string[]): string {
  const contexts = ['string', 'integer', 'boolean', 'null'].map((shared, context) => {
    const own = routes.flatMap((one, i) =>
      i % 4 === context ? [`inner.post('/r${i}/:id', { schema: ${one} }, () => '')`] : [],
    )
    return `app.register(async (inner) => {
      inner.addSchema({ $id: 'one', type: '${shared}' })
      inner.addSchema({ $id: 'two', type: 'object', properties: { n: { $ref: 'one#' } } })
      ${own.join('\n')}
    })`
  })
  return contexts.join('\n')
}

function appOf(body: string): string {
  return `import framework from 'framework'\nexport const app = framework({ ajv: { customOptions: { $data: true } } })\n${body}\n`
}
