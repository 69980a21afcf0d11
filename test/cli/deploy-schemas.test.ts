/** Deployments without the literals of schemas: code that reads a schema gets it, and changed schemas are refused. */
import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deploy } from '../../compiler/deploy/index.ts'
import { postJson, startFolder, type Server, withServer } from '../support/start-server.ts'
import { createWorkshop } from '../support/workshop.ts'

describe('a deployment without the literals of schemas', () => {
  const reader = createWorkshop({ after }, 'deploy/reader')
  reader.install('@fastify')
  const folder = (name: string): string => join(reader.folder, name)

  before(async () => {
    for (const options of [[], ['--keep-schemas']]) {
      const out = options.length === 0 ? 'stripped' : 'kept'
      const deploy = ['deploy', 'app.js', '--target', 'node', '--out', out, ...options]
      reader.succeed(...deploy)
    }
    const { diagnostics } = await deploy({
      entry: folder('app.js'),
      target: 'node',
      out: folder('files'),
      filesFrom: 0,
    })
    assert.deepEqual(diagnostics, [])
  })

  /** Returns the answers of an application to all requests. */
  async function answersAt(url: string): Promise<unknown[]> {
    const ask = async (path: string, body?: object): Promise<unknown> => {
      const answer = await fetch(url + path, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', 'x-count': '7' },
      })
      const text = await answer.text()
      const isLong = path === '/seen' || path === '/document'
      return [path, answer.status, isLong ? JSON.parse(text) : text]
    }
    const order = { item: 'Emma', count: '2', address: { city: 'Paris' } }
    const answers = []
    for (const path of paths(reader.read('ways.js'))) {
      answers.push(await ask(path, order), await ask(path, { count: 'many' }))
      answers.push(await ask(path, { item: 'Emma', address: {} }))
    }
    for (const path of ['/parts/7', '/parts/7000', '/parts/x', '/shared', '/seen', '/document']) {
      answers.push(await ask(path))
    }
    return answers
  }

  const start = (name: string, variables?: Record<string, string>): Promise<Server> =>
    startFolder(folder(name), reader.folder, variables)

  test('holds them as JSON, in the code or, with functions in files, in a file', () => {
    const json = '{"summary":"all of it is written here"'
    assert.ok(!reader.read('kept/index.js').includes(json))
    assert.equal(reader.read('stripped/index.js').split('all of it is').length, 2)
    assert.ok(reader.read('stripped/index.js').includes(json))
    assert.ok(!reader.read('files/index.js').includes('all of it is'))
    assert.ok(reader.read(join('files', fileIn('files', '.jsonl'))).includes(json))
  })

  test('answers as with them, however the application reads its schemas', async () => {
    const expected = await withServer(start('kept', { READ: '1' }), answersAt)
    const actual = await withServer(start('stripped', { READ: '1' }), answersAt)
    for (const [i, one] of expected.entries()) assert.deepEqual(actual[i], one)
  })

  const fileIn = (name: string, end: string): string =>
    reader.list(name).find((file) => file.endsWith(end)) as string

  for (const [name, end] of [
    ['stripped', 'index.js'],
    ['files', '.jsonl'],
  ] as const) {
    test(`reads no schema unless the application does, from ${end}`, async () => {
      const file = fileIn(name, end)
      cpSync(folder(name), folder('unread'), { recursive: true })
      // Reading one fails.
      const text = reader.read(join('unread', file))
      const broken = text.replace(/\{"(?=summary"|type":"object","(?:required|properties))/g, '"{')
      assert.ok(broken.split('"{').length > 3)
      reader.write(join('unread', file), broken)
      await withServer(start('unread', { CHECK: 'first-request' }), async (url) => {
        for (const path of ['/whole/nothing', '/parts/nothing', '/child']) {
          const answer = await postJson(url + path, '{ "item": "Emma", "count": "2" }')
          assert.equal(await answer.text(), '{"item":"Emma","count":2}')
        }
      })
      rmSync(folder('unread'), { recursive: true })
    })
  }

  const headers = '{ "type": "object", "properties": { "x-count": { "type": "integer" } } }'
  const edits: Readonly<Record<string, readonly [from: string, to: string]>> = {
    'refuses a shared schema': ['maxLength:80', 'maxLength:81'],
    'refuses an option of Ajv': ['coerceTypes:true', 'coerceTypes:"array"'],
    'refuses a part that a hook adds': [
      'JSON.parse("null")',
      `JSON.parse('{ "headers": ${headers} }')`,
    ],
    'refuses a part that a hook replaces': [
      'JSON.parse("null")',
      `JSON.parse('{ "response": { "200": ${headers} } }')`,
    ],
    'refuses a part that a plugin of Ajv replaces, unread,': [
      'JSON.parse("{}")',
      `JSON.parse('{ "body": { "value": ${headers} } }')`,
    ],
    'accepts a description that a hook adds': [
      'JSON.parse("null")',
      `JSON.parse('{ "description": "Says more." }')`,
    ],
  }
  for (const [what, [from, to]] of Object.entries(edits)) {
    test(`${what} that changed after the build`, async () => {
      cpSync(folder('stripped'), folder('changed'), { recursive: true })
      reader.edit('changed/index.js', from, to)
      const used = withServer(start('changed'), async () => undefined)
      if (what.startsWith('accepts')) await used
      else await assert.rejects(used, /FST_ERR_AOT_FUNCTION_MISSING/)
    })
  }

  /** Files that the program reads on demand, by their content. */
  const ends = { schemas: '.jsonl', functions: '.cjs' }
  const change = (end: string, to: string): void => {
    rmSync(folder('changed'), { recursive: true, force: true })
    cpSync(folder('files'), folder('changed'), { recursive: true })
    reader.edit(join('changed', fileIn('changed', end)), '40', to)
  }
  const damaged = /Run "framework deploy app\.js --target node"[^]*FST_ERR_AOT_ARTIFACT_DAMAGED/

  for (const [what, end] of Object.entries(ends)) {
    test(`refuses a file of ${what} that lacks a byte`, async () => {
      change(end, '4')
      await assert.rejects(start('changed'), damaged)
    })
  }

  test('refuses schemas of another build when the application reads its own', async () => {
    change(ends.schemas, '41')
    await assert.rejects(start('changed', { READ: 'all' }), /FST_ERR_AOT_FUNCTION_MISSING/)
    await withServer(start('changed'), async (url) => {
      const answer = await postJson(`${url}/child`, '{ "item": "Emma" }')
      assert.deepEqual([answer.status, await answer.json()], [200, { item: 'Emma', count: 1 }])
    })
  })
})

test('a deployment on framework/5 reads no schemas either, also not those by media type', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const about = 'a description which makes it long'
  const count = { type: 'object', properties: { count: { type: 'integer' } }, description: about }
  const text = { type: 'string', minLength: 3, description: about }
  const schema = {
    headers: { type: 'object', properties: { 'X-Count': { type: 'integer' } }, description: about },
    body: { content: { 'application/json': { schema: count }, 'text/plain': { schema: text } } },
    response: { 200: { content: { 'application/json': { schema: count } } } },
  }
  shop.writeApp(`import framework from 'framework/5'
const app = framework()
app.post('/', { schema: ${JSON.stringify(schema)} }, async ({ body, headers }) => ({ count: body.count ?? headers['x-count'], body }))
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' }).then((address) => console.log(address))
`)
  const answers = (folder: string): Promise<unknown> =>
    withServer(startFolder(join(shop.folder, folder), shop.folder), (url) =>
      Promise.all(
        [
          ['application/json', '{"count":"7"}'],
          ['application/json', '{"count":"many"}'],
          ['text/plain', 'text'],
          ['text/plain', 't'],
          ['text/plain;charset=utf-8', 't'],
        ].map(async ([type = '', body = '']) => {
          const headers = { 'content-type': type, 'x-count': '5' }
          return (await fetch(url, { method: 'POST', headers, body })).text()
        }),
      ),
    )
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'kept', '--keep-schemas')
  shop.succeed('deploy', 'app.js', '--target', 'node', '--out', 'stripped')
  const code = shop.read('stripped/index.js')
  const broken = code.replace(/\{"(?=headers":\{"type":"object","properties":\{"X-Count)/g, '"{')
  assert.notEqual(broken, code)
  shop.write('stripped/index.js', broken)
  assert.deepEqual(await answers('stripped'), await answers('kept'))
})

/** Each way to look at schemas has two routes. */
function paths(source: string): readonly string[] {
  const names = [...source.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name]) => name as string)
  assert.ok(names.length > 15)
  return [
    ...names.flatMap((name) => [`/whole/${name}`, `/parts/${name}`]),
    '/request',
    '/own',
    '/own-parts',
    '/child',
    '/verbose',
  ]
}
