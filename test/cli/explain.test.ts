/** `framework routes` and `framework explain`: everything that a build knows about an application. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import type { Overview } from '../../cli/inspect/overview.ts'
import type { Lasting } from '../support/folders.ts'
import { openTerminal } from '../support/terminal.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const application = `import framework from 'framework'
import cors from '@fastify/cors'

const app = framework()
app.addHook('onRequest', async function authenticate() {})
app.addSchema({ $id: 'author', type: 'object', properties: { name: { $ref: 'name#' } } })
app.addSchema({ $id: 'name', type: 'string', minLength: 1 })
await app.register(cors)

app.register(async function books(books) {
  books.addHook('preHandler', async () => {})
  books.addSchema({ $id: 'book', type: 'object', properties: { author: { $ref: 'author#' } } })
  const schema = { body: { $ref: 'book#' }, response: { 200: { type: 'object', properties: { id: { type: 'integer' } } } } }
  books.post('/', { schema, preHandler: [function limit() {}] }, async () => ({ id: 1 }))
  books.put('/:id', { schema: { body: { $ref: 'book#' } } }, async () => '')
  books.get('/:id', { constraints: { version: '2.0.0' } }, async () => '')
  app.addHook('onSend', async function late() {})
}, { prefix: '/v1/books' })

await app.ready()
`

interface ExplainResult {
  readonly routes: readonly {
    readonly hooks: readonly { readonly name: string; readonly from: string }[]
    readonly parts: readonly { readonly function: { readonly sharedWith: readonly unknown[] } }[]
  }[]
}

function createShop(t: Lasting): Workshop {
  const shop = createWorkshop(t, 'cli/empty').writeApp(application)
  shop.install('@fastify')
  return shop
}

const lines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' | '))

test('`framework explain` prints the section of the page about a code', (t) => {
  const shop = createShop(t)
  const answer = shop.succeed('explain', 'AOT_BODY_SCHEMA_NOT_SUPPORTED')
  assert.match(
    answer,
    /^AOT_BODY_SCHEMA_NOT_SUPPORTED\n\nA GET or HEAD route has a body schema\.\n/,
  )
  assert.doesNotMatch(answer, /AOT_BOOT_FAILS/)
  const result = shop.result<{ docs: string }>('explain', 'FST_ERR_AOT_OTHER_BUILD')
  assert.match(result.docs, /^file:.*codes\.md#fst_err_aot_other_build$/)
  assert.match(shop.fail('explain', 'AOT_TYPO', 'app.js'), /^No route answers AOT_TYPO\./)
})

test('`framework routes` lists routes, of the artifact or of the source', (t) => {
  const shop = createShop(t)
  const source = shop.succeed('routes', 'app.js')
  assert.ok(!shop.list('.').includes('.framework'))
  const expected = [
    'POST | /v1/books | body, 200 | root > books | app.js:14:3',
    'POST | /v1/books/ | body, 200 | root > books | app.js:14:3',
    'PUT | /v1/books/:id | body | root > books | app.js:15:3',
    'GET | /v1/books/:id version=2.0.0 | root > books | app.js:16:3',
  ]
  assert.deepEqual(lines(source), expected)
  assert.equal(shop.framework('routes').stdout, source)
  shop.succeed('build', 'app.js')
  shop.writeApp('')
  assert.equal(shop.framework('routes').stdout, source)
  assert.deepEqual(lines(shop.framework('routes', '--filter', 'Body put').stdout), [expected[2]])
  const nothing = { status: 0, stdout: '', stderr: 'None of 4 routes match.\n' }
  assert.deepEqual(shop.framework('routes', '-f', 'nowhere'), nothing)
  const result = shop.result<{ routes: object[] }>('routes', '-f', 'version')
  assert.deepEqual(result.routes, [
    {
      method: 'GET',
      url: '/v1/books/:id',
      context: 'root > books',
      at: 'app.js:16:3',
      constraints: { version: '2.0.0' },
      parts: {},
    },
  ])
})

test('`framework explain` prints everything that is known about a route', (t) => {
  const shop = createShop(t)
  shop.succeed('build', 'app.js')
  const stdout = shop.succeed('explain', 'post', '/v1/books/?dry=1')
  const said = lines(stdout).map((line) => line.replace(/[\w-]{22}, \d+ bytes/, 'D, N bytes'))
  assert.deepEqual(said, [
    'POST /v1/books/ | app.js:14:3',
    '',
    'Contexts',
    'root | app.js:4:13',
    'root > books, prefix /v1/books | app.js:10:1',
    '',
    'Hooks, in the order in which they run',
    'onRequest | authenticate | root | app.js:5:1',
    'onRequest | handleCors | plugin @fastify/cors in root | app.js:8:7',
    'preHandler | - | root > books | app.js:11:3',
    'preHandler | limit | route | app.js:14:42',
    'onSend | late | root | app.js:17:3',
    '',
    'body | compiled',
    'validator D, N bytes',
    'shared with POST /v1/books body, PUT /v1/books/:id body',
    '$ref "book#" is "book" of root > books | app.js:12:3',
    '$ref "author#" in "book" is "author" of root | app.js:6:1',
    '$ref "name#" in "author" is "name" of root | app.js:7:1',
    '',
    '200 | compiled',
    'serializer D, N bytes',
    'shared with POST /v1/books 200',
  ])
  const requested = shop.framework('explain', 'PUT', '/v1/books/7', '--code')
  assert.match(requested.stdout, /^PUT \/v1\/books\/:id {2}app\.js:15:3$/m)
  const [, code = ''] = requested.stdout.split(/^[\w-]{22}\n\n/m)
  assert.match(code, /minLength/)
  assert.match(code, /export default/)
  // Without an artifact the code is the same.
  const again = shop.framework('explain', 'PUT', '/v1/books/7', 'app.js', '--code')
  assert.equal(again.stdout, requested.stdout)
})

test('`framework explain` without a method covers all routes of a URL', (t) => {
  const shop = createShop(t)
  shop.succeed('build', 'app.js')
  const titles = (...args: string[]): string[] => {
    return shop.succeed('explain', ...args).match(/^[A-Z]+ \/.*(?= {2})/gm) ?? []
  }
  assert.deepEqual(titles('/v1/books/:id'), ['PUT /v1/books/:id', 'GET /v1/books/:id'])
  assert.deepEqual(titles('/v1/books/7'), ['PUT /v1/books/:id', 'GET /v1/books/:id'])
  assert.deepEqual(titles('/v1/books', 'app.js'), ['POST /v1/books'])
  const none = shop.framework('explain', 'GET')
  assert.equal(none.status, 2)
  assert.match(none.stderr, /needs <URL>/)
})

test('`framework explain` finds bodies by media type, patterns with `?`, routes that differ by constraints, and URLs that the router takes for the same', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework/5'
const app = framework({ routerOptions: { ignoreTrailingSlash: true, caseSensitive: false } })
app.addSchema({ $id: 'a', type: 'string' })
app.post('/a', { schema: { body: { content: { 'text/plain': { schema: { $ref: 'a#' } } } } } }, async () => '')
app.get('/a/:x', { constraints: { host: 'one' } }, async () => '')
app.get('/a/:y', { constraints: { host: 'two' } }, async () => '')
app.get('/b/:n(^\\\\d?$)', async () => '')
app.get('/c/:n?', async () => '')
export default app
`)
  shop.succeed('build', 'app.js')
  assert.match(shop.succeed('explain', 'POST', '/a'), /\$ref "a#" is "a" of root/)
  const urlsFor = (url: string): string[] =>
    lines(shop.succeed('explain', 'GET', url)).flatMap((line) => /^GET (\S+)/.exec(line)?.[1] ?? [])
  assert.deepEqual(urlsFor('/a/1'), ['/a/:x', '/a/:y'])
  assert.deepEqual(urlsFor('/b/:n(^\\d?$)'), ['/b/:n(^\\d?$)'])
  assert.deepEqual(urlsFor('/c'), ['/c/:n?'])
  assert.deepEqual(urlsFor('/c/1?q'), ['/c/:n?'])
  assert.deepEqual(urlsFor('/C/1/'), ['/c/:n?'])
})

test('an unknown route: similar ones are suggested', (t) => {
  const shop = createShop(t)
  shop.succeed('build', 'app.js')
  const meant = ' Did you mean POST /v1/books or POST /v1/books/?'
  for (const [route, near] of [
    ['/v1/book', meant],
    ['DELETE /v1/books/7', ' Did you mean PUT /v1/books/7, GET /v1/books/7 or HEAD /v1/books/7?'],
    ['POST /v1/book', meant],
    ['DELETE /v1/book', meant],
    ['POST /books', ' Did you mean POST /v1/books?'],
    ['GET /elsewhere', ''],
  ] as const) {
    assert.equal(
      shop.fail('explain', ...route.split(' ')).trim(),
      `No route answers ${route}.${near} \`framework routes\` lists all but those that packages declare.`,
    )
  }
})

test('the hooks are those that run on Fastify, in that order', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.install('fastify', 'fastify-plugin')
  shop.writeApp(`import fastify from 'fastify'
import fp from 'fastify-plugin'
const ran = []
const app = fastify()
app.addHook('onRequest', async function first() { ran.push('first') })
app.register(async function outer(outer) {
  outer.addHook('onRequest', async function second() { ran.push('second') })
  outer.register(fp(async function wrapped(same) {
    same.addHook('preHandler', async function third() { ran.push('third') })
  }))
  outer.register(async function inner(inner) {
    inner.addHook('preHandler', async function fourth() { ran.push('fourth') })
    app.addHook('onRequest', async function late() { ran.push('late') })
    outer.addHook('preHandler', async function later() { ran.push('later') })
    inner.get('/', {
      onRequest: async function own() { ran.push('own') },
      preHandler: [async function one() { ran.push('one') }, async function two() { ran.push('two') }],
    }, async () => '')
  })
  outer.register(async function sibling(sibling) {
    sibling.addHook('onRequest', async function never() { ran.push('never') })
  })
})
app.addHook('onRequest', async function afterwards() { ran.push('afterwards') })
await app.inject('/')
console.log(JSON.stringify(ran))
`)
  const ran = JSON.parse(shop.node('app.js').stdout) as string[]
  assert.equal(ran.length, 10)
  const result = shop.result<ExplainResult>('explain', 'GET', '/', 'app.js')
  const names = result.routes[0]?.hooks.map(({ name }) => name)
  assert.deepEqual(names, ran)
})

test("hooks of the application aren't listed for a route; those of a wrapped plugin are listed with its name", (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
import plugin from 'framework/plugin'
const app = framework()
for (const hook of ['onRoute', 'onRegister', 'onReady', 'preClose', 'onClose']) app.addHook(hook, () => {})
app.register(plugin(async (app) => {
  app.addHook('onResponse', async () => {})
  app.register(plugin(async function inner(app) {
    app.addHook('onRequest', async () => {})
  }))
  app.addHook('onSend', async () => {})
}, { name: 'session' }))
app.addHook('preHandler', async () => {})
app.register(async function books(app) {
  app.addHook('onRequest', async () => {})
  app.get('/books', async () => '')
})
export default app
`)
  const { stdout } = shop.framework('explain', 'GET', '/books', 'app.js')
  const all = lines(stdout)
  const first = all.indexOf('Hooks, in the order in which they run')
  assert.deepEqual(all.slice(first + 1, all.indexOf('', first)), [
    'onRequest | - | plugin inner in root | app.js:8:5',
    'onRequest | - | root > books | app.js:14:3',
    'preHandler | - | root | app.js:12:1',
    'onSend | - | plugin session in root | app.js:10:3',
    'onResponse | - | plugin session in root | app.js:6:3',
  ])
})

const widths: Readonly<Record<string, string[]>> = {
  80: [
    'POST  /v1/books                    body, 200  root > books  app.js:14:3',
    'POST  /v1/books/                   body, 200  root > books  app.js:14:3',
    'PUT   /v1/books/:id                body       root > books  app.js:15:3',
    'GET   /v1/books/:id version=2.0.0             root > books  app.js:16:3',
  ],
  64: [
    'POST  /v1/books                    body,…  …> books  app.js:14:3',
    'POST  /v1/books/                   body,…  …> books  app.js:14:3',
    'PUT   /v1/books/:id                body    …> books  app.js:15:3',
    'GET   /v1/books/:id version=2.0.0          …> books  app.js:16:3',
  ],
}

test('on a terminal, a line of `framework routes` is no longer than that, unless `--wide` is given', async (t) => {
  const shop = createShop(t)
  shop.succeed('build', 'app.js')
  const whole = shop.framework('routes').stdout.trimEnd().split('\n')
  for (const [columns, expected] of Object.entries(widths)) {
    for (const args of [['routes'], ['routes', '--wide']]) {
      const options = { folder: shop.folder, args, columns: Number(columns) }
      const terminal = await openTerminal(t, options)
      assert.equal(await terminal.ended(), 0)
      const printed = stripVTControlCharacters(terminal.printed).replaceAll('\r', '').split('\n')
      assert.deepEqual(
        printed.slice(0, 4).map((line) => line.trimEnd()),
        args.length === 1 ? expected : whole.map((line) => line.trimEnd()),
      )
      assert.match(
        printed[5] ?? '',
        /^\/v1\/books and \/v1\/books\/ are one declaration: .*`prefixTrailingSlash`/,
      )
    }
  }
})

test('on a pipe, one long line does not widen the others, and what is counted can be listed', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const statuses = Array.from({ length: 60 }, (_, i) => `${200 + i}: { type: 'object' }`)
  shop.writeApp(`import framework from 'framework'
const app = framework()
app.get('/short', async () => '')
app.get('/long', { schema: { response: { ${statuses.join(', ')} } } }, async () => '')
app.listen()
`)
  shop.succeed('build', 'app.js')
  const [short = '', long = ''] = shop.framework('routes').stdout.split('\n')
  assert.match(short, /^GET {2}\/short {44}root {2}app\.js:3:1$/)
  assert.match(long, /^GET {2}\/long {3}200, 201, .*, 259 {2}root {2}app\.js:4:1$/)
  const output = shop.framework('explain', 'GET', '/long').stdout
  assert.match(
    output,
    /shared with (?:GET \/long \d+, ){4}GET \/long \d+ and 54 more \(`--json` lists them\)/,
  )
  const result = shop.result<ExplainResult>('explain', 'GET', '/long')
  assert.equal(result.routes[0]?.parts[0]?.function.sharedWith.length, 59)
})

test('a hook is listed for the context that adds it, also if one function adds it to several', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
const app = framework()
function audit(instance) { instance.addHook('onRequest', async () => {}) }
audit(app)
app.register(async function child(child) {
  audit(child)
  child.get('/twice', async () => '')
})
app.register(async function other(other) { other.get('/once', async () => '') })
export default app
`)
  const originsAt = (url: string): string[] => {
    const { routes } = shop.result<ExplainResult>('explain', 'GET', url, 'app.js')
    return routes.flatMap(({ hooks }) => hooks.map(({ from }) => from))
  }
  assert.deepEqual(originsAt('/twice'), ['root', 'root > child'])
  assert.deepEqual(originsAt('/once'), ['root'])
  const result = shop.result<{ overview: Overview }>('report', 'app.js', '--out', 'report.html')
  const hookCounts = result.overview.contexts.map(
    ({ adds, inherits }) => `${adds.hooks.length} ${inherits.hooks.length}`,
  )
  assert.deepEqual(hookCounts, ['1 0', '1 1', '0 1'])
})
