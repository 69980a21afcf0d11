/** Shared schemas that contain each other, as modules of TypeBox do: the build has problems if and only if Fastify doesn't boot. */
import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { fastify as Fastify, FastifyInstance } from 'fastify'
import { compile } from '../../../compiler/index.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { root } from '../../support/root.ts'
import { runs } from '../../support/runs.ts'

interface Context {
  readonly schemas: readonly object[]
  /** The schemas of routes: the part, and what it consists of. */
  readonly routes: readonly {
    readonly part: 'body' | 'headers' | 'response'
    readonly schema: object
  }[]
  readonly children: readonly Context[]
  /** Added when the children are loaded. */
  readonly late: readonly object[]
}

const ids = ['a', 'b', 'c', 'https://shop.example/d', '1'] as const
const id = fc.constantFrom(...ids)
const leaf = fc.constantFrom({ type: 'string' }, { type: 'integer' })

/** A property. Embedded schemas with one name are often, but not always, the same. */
const { inner } = fc.letrec<{ inner: object; named: object; list: object }>((tie) => ({
  inner: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: id.map(($id) => ({ $ref: $id })) },
    { weight: 2, arbitrary: id.map(($id) => ({ $id, type: 'object', properties: {} })) },
    { weight: 1, arbitrary: tie('named') },
    { weight: 1, arbitrary: tie('list') },
  ),
  named: fc.record({
    $id: id,
    type: fc.constant('object'),
    properties: fc.record({ x: tie('inner') }),
  }),
  list: fc.record({ type: fc.constant('array'), items: tie('inner') }),
}))

const properties = fc.dictionary(fc.constantFrom('p', 'q'), inner, { maxKeys: 2 })
const object = fc.record({ type: fc.constant('object'), properties })

/** As TypeBox writes what a module exports: with all definitions. */
const exported = fc
  .record({
    names: fc.subarray([...ids], { minLength: 1 }),
    key: fc.constantFrom('$defs', 'definitions'),
  })
  .map(({ names, key }) => ({
    [key]: Object.fromEntries(
      names.map(($id, i) => [i, { $id, type: 'object', properties: { next: { $ref: names[0] } } }]),
    ),
    type: 'object',
    properties: { it: { $ref: names[0] } },
  }))

const shared = fc
  .uniqueArray(fc.tuple(id, fc.oneof({ weight: 4, arbitrary: object }, exported)), {
    maxLength: 3,
    selector: ([$id]) => $id,
  })
  .map((list) => list.map(([$id, schema]) => ({ ...schema, $id })))

const routes = fc.array(
  fc.record({
    part: fc.constantFrom('body', 'headers', 'response'),
    schema: fc.oneof(object, exported),
  }),
  { maxLength: 2 },
)

const leafContext: fc.Arbitrary<Context> = fc.record({
  schemas: shared,
  routes,
  children: fc.constant([]),
  late: fc.constant([]),
})

const context: fc.Arbitrary<Context> = fc.record({
  schemas: shared,
  routes,
  children: fc.array(leafContext, { maxLength: 2 }),
  late: fc.oneof(fc.constant([]), shared),
})

/** Declares the same on Fastify and in a source. */
async function declare(
  app: FastifyInstance,
  { schemas, routes, children, late }: Context,
  path: string,
): Promise<void> {
  for (const one of schemas) app.addSchema(structuredClone(one))
  for (const [i, { part, schema }] of routes.entries()) {
    const given = structuredClone(
      part === 'response' ? { response: { 200: schema } } : { [part]: schema },
    )
    app.post(`${path}/${i}`, { schema: given }, () => '')
  }
  for (const [i, child] of children.entries())
    await app.register((one) => declare(one, child, `${path}/child${i}`))
  for (const one of late) app.addSchema(structuredClone(one))
}

const folder = temporaryFolder({ after })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
const require = createRequire(import.meta.url)
let count = 0

for (const [line, name] of [
  ['framework', 'fastify'],
  ['fastify@5', 'fastify-5'],
] as const) {
  const fastify = require(name) as typeof Fastify
  test(`shared schemas that contain each other, on ${line}`, async () => {
    const tally = { boots: 0, refused: 0 }
    const property = fc.asyncProperty(context, async (given) => {
      const app = fastify()
      const failure = await declare(app as unknown as FastifyInstance, given, '')
        .then(() => app.ready())
        .then(
          () => undefined,
          (error: Error) => error.message,
        )
      await app.close().catch(() => undefined)
      tally[failure === undefined ? 'boots' : 'refused']++
      const entry = join(folder, `app${count++}.js`)
      writeFileSync(
        entry,
        `import framework from 'framework'
${String(declare)}
const app = framework()
await declare(app, ${JSON.stringify(given)}, '')
export default app
`,
      )
      const { diagnostics } = await compile({ entry, out: folder, line, boot: false })
      const problems = diagnostics.map(({ code, message }) => `${code} ${message}`)
      assert.equal(problems.length > 0, failure !== undefined, failure ?? problems.join('\n'))
    })
    await fc.assert(property, runs(40))
    assert.ok(Math.min(tally.boots, tally.refused) > 5, JSON.stringify(tally))
  })
}
