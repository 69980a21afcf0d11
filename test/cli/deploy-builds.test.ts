/** All files of a deployment carry the id of their build: what is put together from several builds is refused before it serves. */
import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deploy } from '../../compiler/deploy/index.ts'
import { startFolder, withServer } from '../support/start-server.ts'
import { createWorkshop } from '../support/workshop.ts'

const source = (greeting: string, most: number): string => `import fastify from 'fastify'
export default function shop() {
  const app = fastify({ aot: { check: process.env.CHECK ?? 'ready' } })
  app.addSchema({ $id: 'name', type: 'string', maxLength: 80 })
  const querystring = { type: 'object', properties: { count: { type: 'integer', maximum: ${most} } } }
  app.get('/', { schema: { querystring } }, async ({ query }) => ({ ...query, greeting: '${greeting}' }))
  app.get('/:name', { schema: { params: { type: 'object', properties: { name: { $ref: 'name#' } } } } }, async () => 'named')
  return app
}
`

describe('a deployment with functions in files', () => {
  const shop = createWorkshop({ after }, 'cli/empty')
  /** One build with other texts, and one with another schema. */
  const builds = {
    first: source('Hello', 9),
    words: source('Welcome', 9),
    schema: source('Hello', 8),
  }

  before(async () => {
    for (const [name, text] of Object.entries(builds)) {
      shop.writeApp(text)
      const { diagnostics } = await deploy({
        entry: join(shop.folder, 'app.js'),
        target: 'node',
        out: join(shop.folder, name),
        filesFrom: 0,
      })
      assert.deepEqual(diagnostics, [])
    }
  })

  /** Starts the first build with a path of another one in it, and gives what it says. */
  async function startMixed(
    path: string,
    from: keyof typeof builds,
    variables: Record<string, string> = {},
  ): Promise<string> {
    const mixed = join(shop.folder, 'mixed')
    cpSync(join(shop.folder, 'first'), mixed, { recursive: true })
    rmSync(join(mixed, path), { recursive: true })
    cpSync(join(shop.folder, from, path), join(mixed, path), { recursive: true })
    try {
      return await withServer(startFolder(mixed, shop.folder, variables), async (url) => {
        const answer = await fetch(`${url}/?count=3`)
        return `${answer.status} ${await answer.text()}`
      })
    } catch (error) {
      return (error as Error).message
    } finally {
      rmSync(mixed, { recursive: true })
    }
  }

  test('has one id in all of its files', () => {
    const ids = Object.keys(builds).map((name) => {
      const files = shop.list(name).filter((file) => /\.(?:c?js|json|jsonl|txt)$/.test(file))
      assert.ok(files.length >= 5, files.join())
      const found = files.map((file) => {
        const text = shop.read(join(name, file))
        return file === 'package.json'
          ? (JSON.parse(text) as { build: string }).build
          : /\n\/\/# build=([0-9a-f]{16})\n$/.exec(text)?.[1]
      })
      assert.equal(new Set(found).size, 1, files.map((file, i) => `${file} ${found[i]}`).join('\n'))
      return found[0]
    })
    assert.equal(new Set(ids).size, 3)
  })

  test('starts as it is', async () => {
    assert.equal(await startMixed('index.js', 'first'), '200 {"count":3,"greeting":"Hello"}')
  })

  for (const [path, from] of [
    ['index.js', 'words'],
    ['index.js', 'schema'],
    ['chunks', 'words'],
    ['chunks', 'schema'],
    ['schemas.jsonl', 'words'],
    ['schemas.jsonl', 'schema'],
  ] as const) {
    test(`does not start with ${path} of a build with other ${from === 'words' ? 'code' : 'schemas'}`, async () => {
      const said = await startMixed(path, from)
      assert.match(said, /FST_ERR_AOT_OTHER_BUILD/)
      assert.match(
        said,
        /belongs to build \w{16}, the program to build \w{16}\. Run "framework deploy/,
      )
    })
  }

  test('does not serve what is found late to be of another build', async () => {
    const said = await startMixed('chunks', 'words', { CHECK: 'first-request' })
    assert.match(said, /^500 .*FST_ERR_AOT_OTHER_BUILD/)
    assert.doesNotMatch(said, /chunks/)
  })

  test('refuses an unknown schema, and says to deploy again', async () => {
    shop.edit('first/index.js', 'maxLength:80', 'maxLength:81')
    const said = await startMixed('package.json', 'first')
    assert.match(
      said,
      /GET \/:name, params: the schema[^]*Run "framework deploy app\.js --target node"/,
    )
    assert.match(said, /FST_ERR_AOT_FUNCTION_MISSING/)
  })
})
