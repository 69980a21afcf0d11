/** Tests that an application doesn't start with edited functions that run while schemas are compiled. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const APP = `
import framework from 'framework'
import { _, str } from 'ajv'
import fastUri from 'fast-uri'

const factor = 2

const even = {
  keyword: 'even',
  type: 'number',
  error: { message: ({ schemaCode }) => str\`is not even \${schemaCode}\`, params: ({ schema }) => _\`{ even: \${schema} }\` },
  code(cxt) {
    const { data, schema, gen, it } = cxt
    if (!schema) return
    const rest = gen.const('rest', _\`\${data} % \${factor}\`)
    gen.if(_\`\${rest} !== 0\`, () => {
      if (it.opts.allErrors) cxt.error()
      else cxt.fail(_\`true\`)
    })
  },
}

const most = { keyword: 'most', type: 'number', macro: (limit) => ({ maximum: limit * 1 }) }

const named = { keyword: 'named', type: 'string', validate: (_, value) => value !== '' }

function plugin(ajv, { least }) {
  const lowest = (schema) => ({ minimum: schema + least })
  ajv.addFormat('short', /^.{1,3}$/)
  return ajv.addKeyword({ keyword: 'atLeast', type: 'number', macro: lowest }).addFormat('atLeast', { validate: /a/ })
}

function uneven(ajv) {
  ajv.addKeyword({ keyword: 'uneven', code: (cxt) => cxt.fail(_\`\${cxt.data} % 2 === 0\`) })
}

const arrow = (ajv) => ajv.addKeyword('arrow')

export default function build(options) {
  const app = framework({
    ...options,
    ajv: {
      customOptions: {
        keywords: [even, most, named],
        formats: { odd: { type: 'number', validate: (value) => value % 2 === 1 } },
        code: { process: (code) => code.replace('/*none*/', '') },
        uriResolver: { parse: fastUri.parse, resolve: fastUri.resolve, serialize: fastUri.serialize },
      },
      plugins: [[plugin, { least: 1 }], (ajv) => { ajv.addKeyword('nameless') }, arrow, [(ajv, name) => ajv.addKeyword(name), 'given']],
      onCreate: uneven,
    },
  })
  app.addSchema({ $id: 'http://a/shared', definitions: { n: { type: 'number', most: 10 } } })
  const properties = {
    even: { type: 'number', even: true },
    most: { type: 'number', most: 3 },
    named: { type: 'string', named: true },
    least: { type: 'number', atLeast: 3 },
    short: { type: 'string', format: 'short' },
    odd: { type: 'number', format: 'odd' },
    uneven: { type: 'number', uneven: true },
    other: { nameless: true, arrow: true, given: true },
    shared: { $ref: 'http://a/shared#/definitions/n' },
  }
  app.post('/', { schema: { body: { type: 'object', properties } } }, async () => 'served')
  return app
}
`

/** Loads an artifact, and starts each given application with it. */
const MAIN = `
const [index, ...files] = process.argv.slice(2)
const { default: artifact } = await import(index)
const answers = []
for (const file of files) {
  const { default: build } = await import(file)
  try {
    const { statusCode } = await build({ aot: { artifact } }).inject({ method: 'POST', url: '/', payload: { even: 3, most: 2 } })
    answers.push(String(statusCode))
  } catch ({ code, message }) {
    answers.push(code + ' ' + message)
  }
}
console.log(JSON.stringify(answers))
`

function createShop(t: TestContext, app: string, ...packages: string[]): Workshop {
  const shop = createWorkshop(t, 'cli/empty').writeApp(app)
  shop.install(...packages)
  shop.write('main.js', MAIN)
  return shop
}

/** Edits that don't change what functions do. */
const harmless: readonly (readonly [from: string, to: string])[] = [
  [
    'const { data, schema, gen, it } = cxt',
    'const gen = cxt.gen, it = cxt.it, { schema, data } = cxt',
  ],
  [
    "(ajv) => { ajv.addKeyword('nameless') }",
    "function plugin(ajv) { ajv.addKeyword('nameless') }",
  ],
  ['(limit) => ({ maximum: limit * 1 })', 'function (most) { return { maximum: most + 0 } }'],
  ["value !== ''", 'value.length > 0'],
]

const edits: readonly (readonly [from: string, to: string, title: string])[] = [
  ['const factor = 2', 'const factor = 3', 'customOptions.keywords'],
  ['!== 0`, ()', '!== 1`, ()', 'customOptions.keywords'],
  ['else cxt.fail(_`true`)', 'else cxt.fail(_`false`)', 'customOptions.keywords'],
  ['is not even', 'is uneven', 'error.message'],
  ['{ even: ', '{ rest: ', 'error.params'],
  ['if (!schema) return', 'if (schema) return', 'customOptions.keywords'],
  ['limit * 1', 'limit * 2', 'customOptions.keywords'],
  ['schema + least', 'schema - least', '"atLeast"'],
  ['{1,3}', '{1,4}', 'plugins[0]'],
  ["'nameless') }", "'nameless'); ajv.addKeyword('more') }", 'plugins[1]'],
  ["addKeyword('arrow')", "addKeyword(['arrow', 'more'])", 'plugins[2]'],
  ["type: 'number', macro: lowest", "type: ['number', 'string'], macro: lowest", 'plugins[0]'],
  ['% 2 === 0', '% 2 === 1', '"uneven"'],
  ["keyword: 'uneven',", "keyword: 'uneven', type: 'number',", 'onCreate'],
  ["'/*none*/', ''", "'return', 'return '", 'customOptions.code.process'],
  [
    'resolve: fastUri.resolve',
    'resolve: (base, to) => fastUri.resolve(base, to) + "x"',
    'uriResolver.resolve',
  ],
]

test('an edited function that schemas were compiled with fails the start', (t) => {
  const shop = createShop(t, APP, 'ajv', 'fast-uri')
  shop.succeed('build', 'app.js')
  const files = [['', ''] as const, ...harmless, ...edits].map(([from, to], i) => {
    const file = `./app-${i}.js`
    assert.ok(APP.includes(from), from)
    const edited = APP.replace(from, () => to)
    shop.write(file, edited)
    return file
  })
  for (const index of ['./.framework/index.mjs', './.framework/worker.mjs']) {
    const answers = shop.answer<string[]>('main.js', index, ...files)
    const same = 1 + harmless.length
    assert.deepEqual(answers.slice(0, same), Array(same).fill('400'))
    for (const [i, [, to, title]] of edits.entries()) {
      const said = answers[same + i] ?? ''
      assert.match(said, /^FST_ERR_AOT_FUNCTION_MISSING .*POST \/, body.* does something else/, to)
      assert.ok(said.includes(title), `${to}: ${said}`)
    }
  }
})

const UNWATCHED = `
import framework from 'framework'

let calls = 0

function own(ajv) {
  const other = new ajv.constructor({ strict: false })
  return ajv.addKeyword({ keyword: 'own', macro: (maximum) => ({ maximum: other ? maximum : 0 }) })
}

const most = { keyword: 'most', macro: (limit) => ({ maximum: limit * 1 }) }
const counted = { keyword: 'counted', macro: () => ({ minimum: (calls += 1) - calls }) }
const later = { keyword: 'later', macro: () => ({ not: { const: (calls += 1) + 100 } }) }
const symbols = { keyword: 'symbols', macro: (_, parent) => (parent[Symbol.iterator] ? false : { minimum: 0 }) }

export default function build(options) {
  const app = framework({
    ...options,
    ajv: { customOptions: { keywords: [most, counted, later, symbols] }, plugins: [own] },
  })
  const number = { type: 'number', own: 5, most: 4, counted: true, later: true, symbols: true }
  app.post('/', { schema: { body: { type: 'object', properties: { even: number, most: number } } } }, async () => 'served')
  app.post('/most', { schema: { body: { type: 'object', properties: { most: { type: 'number', most: 4 } } } } }, async () => 'served')
  return app
}
`

test('every build warns about functions that cannot be checked, and the application starts', (t) => {
  const shop = createShop(t, UNWATCHED, 'ajv')
  const warned = (): string[] => {
    const { status, stdout, stderr } = shop.framework('build', 'app.js')
    assert.equal(status, 0, stderr)
    return [...`${stdout}${stderr}`.matchAll(/later changes to (the option `ajv\S+`):/g)].map(
      ([, what]) => what as string,
    )
  }
  const expected = [
    'the option `ajv.customOptions.keywords[2].macro`',
    'the option `ajv.plugins[0]`',
  ]
  assert.deepEqual(warned().sort(), expected)
  shop.writeApp(`${UNWATCHED}\n// edited`)
  assert.deepEqual(warned().sort(), expected)
  shop.write('edited.js', UNWATCHED.replace('limit * 1', 'limit * 2'))
  const apps = ['./app.js', './edited.js']
  const [same, edited = ''] = shop.answer<string[]>('main.js', './.framework/index.mjs', ...apps)
  assert.equal(same, '200')
  assert.match(
    edited ?? '',
    /^FST_ERR_AOT_FUNCTION_MISSING .*keywords\[0\]\.macro` does something else/,
  )
})

const PUBLISHED = `
import framework from 'framework'
import errors from 'ajv-errors'
import formats from 'ajv-formats'
import keywords from 'ajv-keywords'
import mergePatch from 'ajv-merge-patch'

const properties = {
  even: { type: 'number', multipleOf: 2, errorMessage: 'is not even' },
  most: { type: 'number', range: [1, 3], exclusiveRange: [0, 4] },
  text: { type: 'string', transform: ['trim', 'toLowerCase'], regexp: '/o/i' },
  list: { type: 'array', uniqueItemProperties: ['id'] },
  date: { type: 'string', format: 'date', formatMinimum: '2020-01-01' },
  kind: { instanceof: 'Object', typeof: 'object' },
  deep: { type: 'object', deepRequired: ['/x/y'], deepProperties: { '/x/y': { type: 'number' } } },
  some: { type: 'object', anyRequired: ['a', 'b'], oneRequired: ['a', 'b'], prohibited: ['z'], patternRequired: ['f.*o'] },
  all: { type: 'object', allRequired: true, properties: { a: {} } },
  made: { type: 'object', dynamicDefaults: { n: { func: 'seq', args: { name: 'a' } } }, properties: { n: {} } },
  chosen: { type: 'object', select: { $data: '0/kind' }, selectCases: { a: {} }, selectDefault: {} },
  merged: { $merge: { source: { type: 'object' }, with: { required: ['p'] } } },
  referred: { $merge: { source: { $ref: 'http://a/print' }, with: { required: ['p'] } } },
  patched: { $patch: { source: { type: 'object' }, with: [{ op: 'add', path: '/minProperties', value: 1 }] } },
}

export default function build(options) {
  const app = framework({
    ...options,
    ajv: {
      customOptions: { allErrors: true, $data: true },
      plugins: [mergePatch, [errors, { singleError: true }], keywords, [formats, { mode: 'fast', keywords: true }]],
    },
  })
  app.addSchema({ $id: 'http://a/print', type: 'object', properties: { p: { type: 'string' } } })
  app.post('/', { schema: { body: { type: 'object', properties } } }, async () => 'served')
  return app
}
`

test('applications with published plugins of Ajv build and start', (t) => {
  const shop = createShop(
    t,
    PUBLISHED,
    'ajv-errors',
    'ajv-formats',
    'ajv-keywords',
    'ajv-merge-patch',
  )
  const built = shop.framework('build', 'app.js')
  assert.equal(built.status, 0, built.stderr)
  assert.doesNotMatch(built.stdout + built.stderr, /AOT_/)
  assert.deepEqual(shop.answer('main.js', './.framework/index.mjs', './app.js'), ['400'])
})
