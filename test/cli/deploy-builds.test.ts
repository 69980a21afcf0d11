/** Files of a deployment are named by their content: a mix of different builds is refused before it serves. */
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

  /** Starts the first build with one path of another build in it, and returns the output. */
  async function startMixed(
    path: string,
    from: keyof typeof builds,
    variables: Record<string, string> = {},
    replacement = path,
  ): Promise<string> {
    const mixed = join(shop.folder, 'mixed')
    cpSync(join(shop.folder, 'first'), mixed, { recursive: true })
    rmSync(join(mixed, path), { recursive: true })
    cpSync(join(shop.folder, from, replacement), join(mixed, replacement), { recursive: true })
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

  /** Finds the file with schemas. */
  function schemasOf(name: keyof typeof builds): string {
    return shop.list(name).find((file) => /^schemas-[\w-]{22}\.jsonl$/.test(file)) as string
  }

  test('serves with files of another build that have the same content', async () => {
    const answer = '200 {"count":3,"greeting":"Hello"}'
    for (const path of ['chunks', schemasOf('words')]) {
      assert.equal(await startMixed(path, 'words'), answer)
    }
    assert.match(await startMixed('index.js', 'words'), /"greeting":"Welcome"/)
  })

  for (const path of ['index.js', 'chunks', schemasOf]) {
    const title = typeof path === 'string' ? path : 'the schemas'
    test(`does not start with ${title} of a build with other schemas`, async () => {
      const said =
        typeof path === 'string'
          ? await startMixed(path, 'schema')
          : await startMixed(path('first'), 'schema', {}, path('schema'))
      assert.match(said, /FST_ERR_AOT_OTHER_BUILD/)
      assert.match(said, /" does not exist\. Run "framework deploy/)
    })
  }

  test('does not serve a file of another build that is loaded late', async () => {
    const said = await startMixed('chunks', 'schema', { CHECK: 'first-request' })
    assert.match(said, /^500 .*FST_ERR_AOT_OTHER_BUILD/)
    assert.doesNotMatch(said, /chunks/)
  })

  test('refuses an unknown schema, and says to deploy again', async () => {
    shop.edit('first/index.js', 'maxLength:80', 'maxLength:81')
    const said = await startMixed('package.json', 'first')
    assert.match(
      said,
      /GET \/:name, params: the build read another schema here[^]*Run "framework deploy app\.js --target node"/,
    )
    assert.match(said, /FST_ERR_AOT_FUNCTION_MISSING/)
  })
})
