import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/folders.ts'
import { root } from '../support/root.ts'
import { check, consumer } from './consumer.ts'

test('the declarations have the types that the type tests require', async (t) => {
  const folder = temporaryFolder(t)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const types = join(root, 'test/types')
  const variants = await readFile(join(types, 'variants.ts'), 'utf8')
  await writeFile(join(folder, 'variants.ts'), variants.replace("'fastify'", "'framework'"))
  // Replies have another order of parameters in Fastify 5, and type providers other members.
  const provider5 = `interface Provider extends lib.FastifyTypeProvider {
  readonly validator: this['schema'] extends { is: infer T } ? T : unknown
}`
  const variants5 = variants
    .replaceAll(/(?<=FastifyReply<)(\w+, \w+, \w+), ([^,>]+)/g, '$2, $1')
    .replace(/(?<=FastifyReply<)Http2/, 'lib.RouteGenericInterface, Http2')
    .replace(/interface Provider \{[^}]*\}[^}]*\}/, provider5)
  await writeFile(join(folder, 'real-5.ts'), variants5.replace("'fastify'", "'fastify-5'"))
  await writeFile(join(folder, 'variants-5.ts'), variants5.replace("'fastify'", "'framework/5'"))
  const covers = (real: string, ours: string, nouns = 'keyof Real'): string =>
    `import type { Covers, Expect } from '${types}/expect.ts'
import type { Assignable as Real } from '${real}'
import type { Assignable as Ours } from '${ours}'
export type Covered = Expect<Covers<Pick<Ours, ${nouns}>, Pick<Real, ${nouns}>>>
`
  await writeFile(join(folder, 'covers.ts'), covers(`${types}/variants.ts`, './variants.ts'))
  await writeFile(
    join(folder, 'covers-5.ts'),
    covers('./real-5.ts', './variants-5.ts', "'replies' | 'requests' | 'routes'"),
  )
  // A program of its own for each line: one that imports both has the types of Fastify 5.
  for (const include of [['covers.ts', `${types}/*.test-d.ts`], ['covers-5.ts']]) {
    const config = {
      extends: `${types}/tsconfig.json`,
      include,
      compilerOptions: {
        allowImportingTsExtensions: true,
        rewriteRelativeImportExtensions: false,
        rootDir: '/',
      },
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    assert.equal(await check(folder), '')
  }
})

test("declarations of 'framework' apply to an application that imports only framework/5", async (t) => {
  const folder = await consumer(t, { types: ['node'] })
  await writeFile(
    join(folder, 'app.cts'),
    `import fastify from 'framework/5'
declare module 'framework' {
  interface FastifyRequest { user: string }
}
fastify().get('/', async (request, reply) => [request.user, reply.routeOptions.url])
`,
  )
  assert.equal(await check(folder), '')
})

test('the TypeScript examples of the pages compile, and every test checks something', async (t) => {
  const folder = await consumer(t, { skipLibCheck: true })
  const docs = join(root, 'docs')
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  let count = 0
  for (const page of pages.filter((file) =>
    /^(?:reference\/.*|guide\/typescript)\.md$/.test(file),
  )) {
    const text = await readFile(join(docs, page), 'utf8')
    // A block with a name is a file of a recipe, whose test compiles it.
    for (const [, code = ''] of text.matchAll(/```ts\n(.*?)```/gs))
      await writeFile(join(folder, `${page.replaceAll(/\W/g, '-')}-${count++}.mts`), code)
  }
  assert.ok(count > 20)
  assert.equal(await check(folder), '')
  await writeFile(join(folder, 'wrong.mts'), "import 'framework'\nconst wrong: number = 'text'\n")
  assert.match(await check(folder), /wrong\.mts/)
})
