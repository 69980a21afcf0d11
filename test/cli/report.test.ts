/** `framework report`: the content of its page, read by an HTML parser. `browser/report.long.test.ts` opens it in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load, type CheerioAPI } from 'cheerio'
import type { Overview } from '../../cli/inspect/overview.ts'
import { hostileApplication } from '../support/hostile-application.ts'
import { createWorkshop } from '../support/workshop.ts'

const application = `import framework from 'framework'
import cors from '@fastify/cors'

const app = framework({ ajv: { customOptions: { $data: true } } })
app.addHook('onRequest', async function authenticate() {})
app.addSchema({ $id: 'author', type: 'object', properties: { name: { $ref: 'name#' } } })
app.addSchema({ $id: 'name', type: 'string', minLength: 1 })
app.addSchema({ $id: 'unused', type: 'string' })
await app.register(cors)

app.register(async function books(books) {
  books.addHook('preHandler', async () => {})
  books.addSchema({ $id: 'book', type: 'object', properties: { author: { $ref: 'author#' } } })
  const schema = { body: { $ref: 'book#' }, response: { 200: { type: 'object', properties: { id: { type: 'integer' } } } } }
  books.post('/', { schema, preHandler: [function limit() {}] }, async () => ({ id: 1 }))
  books.put('/:id', { schema: { body: { $ref: 'book#' } } }, async () => '')
  books.get('/:id', { constraints: { version: '2.0.0' } }, async () => '')
  books.get('/', { schema: { querystring: JSON.parse(process.env.SCHEMA ?? 'none') } }, async () => '')
  books.get('/late', { schema: { querystring: { type: 'object', properties: { like: { type: 'string' }, of: { type: 'string', pattern: { $data: '1/like' } } } } } }, async () => '')
}, { prefix: '/v1/books' })

await app.ready()
`

function texts($: CheerioAPI, selector: string): string[] {
  return $(selector)
    .toArray()
    .map((one) => $(one).text().replaceAll(/\s+/g, ' ').trim())
}

test('the page shows what each context adds, inherits and serves, references, and unknown parts', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.install('@fastify')
  const none = shop.framework('report')
  assert.equal(none.status, 2)
  assert.match(none.stderr, /^There is no artifact in /)
  shop.writeApp(application)
  shop.succeed('build', 'app.js', '--allow-dynamic')
  const { status, stdout, stderr } = shop.framework('report')
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(stdout, 'Wrote .framework/report.html: 7 routes in 2 contexts.\n')
  const page = shop.read('.framework/report.html')
  const $ = load(page)

  assert.deepEqual(texts($, '.figures li').slice(0, 4), [
    '7 routes',
    '2 contexts',
    '4 shared schemas',
    '3 validators and serializers',
  ])
  assert.deepEqual(texts($, '.figures li').slice(5), ['2 dynamic', '2 warnings'])
  // The legend of the picture.
  assert.deepEqual(texts($, '#tree .legend li'), ['GET', 'POST', 'PUT'])
  assert.deepEqual(texts($, 'article h3'), ['root', 'root › books'])
  assert.deepEqual(texts($, '#c0 dd li'), [
    'author',
    'name',
    'unused',
    'onRequest authenticate app.js:5:1',
    '@fastify/cors app.js:9:7',
  ])
  assert.deepEqual(texts($, '#c1 h4'), ['Adds', 'Inherits', 'Routes'])
  assert.deepEqual(texts($, '#c1 > dl li'), [
    'author',
    'name',
    'unused',
    'onRequest authenticate of root app.js:5:1',
    '@fastify/cors app.js:9:7',
  ])
  assert.deepEqual(texts($, '#c1 .own dl li'), ['book', 'preHandler app.js:12:3'])
  const routes = texts($, '#c1 .route > summary')
  assert.equal(routes.length, 7)
  assert.ok(routes.includes('POST /v1/books body200'), routes.join('\n'))
  assert.ok(routes.includes('GET /v1/books/:id version 2.0.0'), routes.join('\n'))
  const [post = ''] = texts($, '#c1 .route').filter((text) => text.startsWith('POST /v1/books/'))
  assert.match(post, /onRequest authenticate of root .*preHandler limit of route app\.js:15:42/)
  assert.match(post, /validator of [\d.]+ kB, shared with 2 other parts refers to book/)

  const [author = '', name = '', unused = '', book = ''] = texts($, '#schemas .row')
  assert.match(author, /^3 parts author of root app\.js:6:1 Refers to name Schemas that .* it book/)
  assert.match(name, /^3 parts name .* refer to it author \{ "\$id": "name"/)
  assert.match(unused, /^no route needs it unused of root/)
  assert.match(book, /routes that refer to it POST \/v1\/books body/)
  const arrows = $('.edges path').toArray()
  const ends = arrows.map((one) => [$(one).attr('data-from'), $(one).attr('data-to')].join())
  assert.deepEqual(ends, ['s0,s1', 's3,s0'])
  assert.deepEqual(texts($, '.nodes text'), ['author', '3', 'name', '3', 'book', '3'])

  assert.deepEqual(texts($, '.group button b'), ['books'])
  const shared = texts($, '#functions .row').find((text) => text.includes('POST /v1/books body +2'))
  assert.ok(shared?.includes('PUT /v1/books/:id body'), shared)

  const [first = ''] = texts($, '#dynamic li')
  assert.match(first, /^GET \/v1\/books querystring .* AOT_\w+ app\.js:18:\d+$/)
  assert.match(texts($, '#warnings li').join(), /AOT_PATTERN_FROM_DATA app\.js:19:\d+$/)
  assert.doesNotMatch(page, /undefined|NaN|\[object/)

  // Every link leads somewhere in the page, and every name is there once.
  const ids = $('[id]')
    .toArray()
    .map((one) => $(one).attr('id'))
  assert.equal(new Set(ids).size, ids.length)
  for (const link of $('a').toArray()) assert.ok(ids.includes($(link).attr('href')?.slice(1)))
})

test('from the source and from an artifact the page is the same, and --json has what it shows', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.install('@fastify')
  shop.writeApp(application)
  type Written = { readonly file: string; readonly overview: Overview }
  const result = shop.result<Written>('report', 'app.js', '--allow-dynamic')
  assert.equal(result.file, '.framework/report.html')
  const { contexts, schemas, functions, warnings } = result.overview
  const contextRows = contexts.map(({ context, parent, adds }) => [context, parent, adds.schemas])
  assert.deepEqual(contextRows, [
    ['root', undefined, [0, 1, 2]],
    ['root > books', 0, [3]],
  ])
  assert.deepEqual(
    schemas.map(({ id, refersTo, referredBy, reach }) => [id, refersTo, referredBy, reach]),
    [
      ['author', [1], [3], 3],
      ['name', [], [0], 3],
      ['unused', [], [], 0],
      ['book', [0], [], 3],
    ],
  )
  const sizes = functions.map(({ bytes }) => bytes)
  const descending = sizes.toSorted((a, b) => b - a)
  assert.deepEqual(sizes, descending)
  assert.equal(warnings.length, 2)
  const fromSource = shop.read('.framework/report.html')
  shop.succeed('build', 'app.js', '--allow-dynamic')
  assert.equal(shop.framework('report', '-o', 'pages/one.html', '-q').stdout, '')
  assert.equal(shop.read('pages/one.html'), fromSource)
})

test('the page of an application with a single part, for `framework/5`', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(
    "import framework from 'framework/5'\nframework().get('/', { schema: { querystring: { type: 'object' } } }, () => '')\n",
  )
  shop.succeed('report', 'app.js')
  const $ = load(shop.read('.framework/report.html'))
  assert.match(String(texts($, '.about')), /^app\.js, compiled for Fastify 5 or framework\/5 by /)
  assert.deepEqual(texts($, '.coverage p'), ['1 part of a route has a schema:'])
})

test('a page replaces pages, and nothing else', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(
    "import framework from 'framework'\nframework().get('/', () => '')\n",
  )
  const source = shop.read('app.js')
  const slip = shop.fail('report', 'app.js', '-o', 'app.js')
  assert.match(slip, /^app\.js {2}AOT_OUTPUT_NOT_OURS\n"app\.js" would be overwritten/m)
  assert.equal(shop.read('app.js'), source)
  const impossible = shop.fail('report', 'app.js', '-o', 'app.js/page.html')
  assert.match(impossible, /^app\.js\/page\.html {2}AOT_OUTPUT_NOT_WRITABLE\n/m)
  for (let i = 0; i < 2; i++) shop.succeed('report', 'app.js', '-o', 'a.html')
  const files = shop.list('.').filter((file) => !file.startsWith('node_modules'))
  assert.deepEqual(files, ['README', 'a.html', 'app.js', 'package.json'])
})

test('no name in an application can become markup of the page', (t) => {
  const shop = createWorkshop(t, 'cli/empty').writeApp(hostileApplication)
  shop.write('package.json', JSON.stringify({ name: '</title><img src=x>', type: 'module' }))
  shop.succeed('report', 'app.js', '--allow-dynamic')
  const page = shop.read('.framework/report.html')
  const $ = load(page)
  assert.equal($('title').text().startsWith('</title><img src=x>'), true)
  assert.equal($('script').length, 1)
  assert.deepEqual(
    $('img, iframe, object, embed, link, base, form:not([role=search])').toArray(),
    [],
  )
  for (const element of $('*').toArray()) {
    for (const [name, value] of Object.entries($(element).attr() ?? {})) {
      assert.doesNotMatch(name, /^on|^src/i)
      if (name === 'href') assert.match(value, /^#\w+$/)
    }
  }
  // They are in the page as text.
  const shown = $('main').text()
  for (const name of ['</script><script>', '"><img src=x onerror=alert(1)>', '<!--']) {
    assert.ok(shown.includes(name), name)
  }
  const policy = $('meta[http-equiv]').attr('content') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src-elem 'sha256-/)
})
