/** Which edits a build follows without a scan of the source, and that it finds what a scan finds. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { BuildResult } from '../../compiler/index.ts'
import { build } from '../../compiler/index.ts'

interface Case {
  /** The body of the application; what differs after the edit stands in `<…>`, as `<before|after>`. */
  readonly text: string
  readonly isScanned: boolean
}

const route = (schema: string, path = '/'): string =>
  `app.get('${path}', { schema: ${schema} }, async () => ({}))`

const cases: Readonly<Record<string, Case>> = {
  'a value in the schema of a route': {
    text: route(`{ querystring: { n: { type: 'integer', maximum: <1|2> } } }`),
    isScanned: false,
  },
  'values on more lines than before, with places behind them': {
    text: `${route(`{ querystring: {<|\n\n// one more\n> n: { type: 'integer' } } }`)}; ${route(`{ params: { id: { type: 'integer' } } }`, '/:id')}\n${route('{ body: undefined }', '/x')}`,
    isScanned: false,
  },
  'values on one line, which was several': {
    text: route(`{ querystring: { <\n|> n: { type: 'integer' <\n,\n|, >maximum: 1 } } }`),
    isScanned: true,
  },
  'a value beside others of which JSON does not say all': {
    text: `${route('{ querystring: { n: { const: <1|2> } } }')}\n${route(`{ querystring: { n: { type: 'number', default: -0 } } }`, '/b')}`,
    isScanned: false,
  },
  'a value among letters that take several bytes, and ends of lines of all kinds': {
    text: `// d\u00e9j\u00e0 vu \u{1f422}\r\n// \u2028 ${route(`{ querystring: { n: { const: '<\u00e9|\u{1f422}>' } } }`)}\r\n${route(`{ params: { id: { type: 'integer' } } }`, '/:id')}\r${route('{}', '/x')}`,
    isScanned: false,
  },
  'a part that was not there': {
    text: route(
      `{ <|response: { 200: { type: 'string' } }, >querystring: { n: { type: 'null' } } }`,
    ),
    isScanned: false,
  },
  'a schema of several routes': {
    text: `const schema = { querystring: { n: { maximum: <1|2>, type: 'integer' } } }\n${route('schema')}\n${route('schema', '/other')}`,
    isScanned: false,
  },
  'a value in a shared schema, which is looked at as it is added': {
    text: `app.addSchema({ $id: 'one', properties: { n: { const: <1|2> } } })\n${route(`{ querystring: { $ref: 'one#' } }`)}`,
    isScanned: true,
  },
  'a shared schema that nobody refers to, and of which JSON no longer says all': {
    text: `app.addSchema({ $id: 'one', properties: { n: { const: <1|NaN> } } })\n${route(`{ querystring: { n: { type: 'string', description: 'one' } } }`)}`,
    isScanned: true,
  },
  'the name of a shared schema': {
    text: `app.addSchema({ $id: 'one<|s>', type: 'object' })`,
    isScanned: true,
  },
  'a reference that leads nowhere': {
    text: `app.addSchema({ $id: 'one', type: 'string' })\n${route(`{ response: { 200: { $ref: '<one|absent>#' } } }`)}`,
    isScanned: false,
  },
  'what code looks at': {
    text: `const limits = { size: <1|20> }\nif (limits.size > 10) ${route('{}', '/more')}`,
    isScanned: true,
  },
  'what is spread': {
    text: `const base = { type: 'object', minProperties: <1|2> }\n${route('{ querystring: { ...base } }')}`,
    isScanned: true,
  },
  'what is below something that is spread': {
    text: `const base = { properties: { n: { const: <1|2> } } }\n${route(`{ querystring: { ...base, type: 'object' } }`)}`,
    isScanned: false,
  },
  'what is looked at in one place, and stands in another as a whole': {
    text: `const make = () => ({ querystring: { n: { const: <1|2> } } })\nconst { length } = Object.keys(make())\n${route('make()')}`,
    isScanned: true,
  },
  'what is overwritten': {
    text: `const query = { n: { const: <1|2> } }\nquery.n.const = 3\n${route('{ querystring: query }')}`,
    isScanned: true,
  },
  'what a package looks at': {
    text: route('{ querystring: list({ const: <1|2> })  }'),
    isScanned: true,
  },
  'what a package runs, and the application': {
    text: `const make = () => ({ const: <1|2> })\n${route('{ querystring: { n: make() }, params: { n: run(make) } }')}`,
    isScanned: true,
  },
  'a name that decides whether an import counts': {
    text: route(`{ querystring: { <n|late>: { type: 'null' } } }`),
    isScanned: true,
  },
  'a value that only the running application knows': {
    text: route('{ querystring: { n: { const: <1|Date.now()> } } }'),
    isScanned: true,
  },
  'a value that names the folder of the application': {
    text: route(`{ querystring: { n: { const: '<one|FOLDER>' } } }`),
    isScanned: true,
  },
  'a file that reads itself': {
    text: `const own = readFileSync(new URL('./app.js', import.meta.url), 'utf8').includes('2')\n${route('{ querystring: { n: { const: <1|2> } } }')}\nif (own) ${route('{}', '/more')}`,
    isScanned: true,
  },
  'two schemas at once': {
    text: `${route('{ querystring: { n: { const: <1|23> } } }')}\n${route('{ querystring: { n: { const: <1|2> } } }', '/b')}`,
    isScanned: false,
  },
  'three schemas of four, with braces in them, and what is between them': {
    text: `const a = { n: { const: '<1|}\\nconst b = {>' } }\nconst b = { n: {<| /* }\nconst c = { */> const: 1 } }\nconst c = { n: { const: 3 } }\nconst d = { n: { const: <4|'}'>, maximum: 5 } }\n${['a', 'b', 'c', 'd'].map((name) => route(`{ querystring: ${name} }`, `/${name}`)).join('\n')}`,
    isScanned: false,
  },
  'two schemas, and what is between them': {
    text: `${route('{ querystring: { n: { const: <1|2> } } }')}\n${route('{ querystring: { n: { const: <1|2> } } }', '/<b|c>')}`,
    isScanned: true,
  },
  'a schema in two': {
    text: `const all = [{ n: { const: 1 <|} }, { n: { const: 2 >} }]\n${route('{ querystring: all[0] }')}`,
    isScanned: true,
  },
}

const others: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "type": "module" }',
  'late.js': `export const late = globalThis.absent.member\n`,
  'node_modules/makers/package.json':
    '{ "name": "makers", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  'node_modules/makers/index.js':
    'export const list = (items) => ({ type: "array", items })\nexport const run = (make) => make()\n',
}

function sourceOf({ text }: Case, folder: string, which: 1 | 2): string {
  const body = text.replace(/<([^<|>]*)\|([^<|>]*)>/g, (...found) => String(found[which]))
  return `import framework from 'framework'
import { readFileSync } from 'node:fs'
import { list, run } from 'makers'
import { late } from './late.js'
export default function build() {
  const app = framework()
  ${body.replace('FOLDER', folder)}
  return app
}
`
}

function toldBy({ diagnostics, warnings, dynamic, artifact }: BuildResult): object {
  const { parts = [], heads = [] } = artifact?.output ?? {}
  return { diagnostics, warnings, dynamic, files: new Map([...parts, ...heads]) }
}

for (const [title, one] of Object.entries(cases)) {
  test(`${title}: ${one.isScanned ? 'a scan' : 'no scan'}`, async (t) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const folder = mkdtempSync(join(tmpdir(), 'framework-kept-'))
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      const write = (file: string, text: string): void => {
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        writeFileSync(join(folder, file), text)
      }
      for (const [file, text] of Object.entries(others)) write(file, text)
      const options = { entry: join(folder, 'app.js'), out: join(folder, 'warm') }
      const textOf = (which: 1 | 2): string =>
        sourceOf(one, folder, which).replaceAll('\n', lineEnd)
      write('app.js', textOf(1))
      assert.deepEqual((await build(options)).diagnostics, [])
      write('app.js', textOf(2))
      const warm = await build(options)
      const cold = await build({ ...options, out: join(folder, 'cold'), cache: false })
      assert.deepEqual(toldBy(warm), toldBy(cold))
      const { isScanned } = warm.artifact?.reuse ?? {}
      if (isScanned !== undefined) assert.equal(isScanned, one.isScanned)
    }
  })
}

test('one edit after another, in several files: what was scanned once is good until there is more than values', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-kept-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
  const schemas = { app: ['1', '1', '1'], more: ['1', '1'] }
  let path = '/'
  const routesOf = (name: keyof typeof schemas): string =>
    schemas[name]
      .map((n, i) => route(`{ querystring: { n: { const: ${n} } } }`, `${path}${name}${i}`))
      .join('\n')
  const save = (): void => {
    write('more.js', `export async function more(app) {\n${routesOf('more')}\n}\n`)
    write(
      'app.js',
      `import framework from 'framework'\nimport { more } from './more.js'\nexport const app = framework()\napp.register(more)\n${routesOf('app')}\n`,
    )
  }
  write('package.json', '{ "private": true, "type": "module" }')
  const options = { entry: join(folder, 'app.js'), out: join(folder, 'warm') }
  const steps: [title: string, edit: () => void, isScanned: boolean][] = [
    ['the first build', () => {}, true],
    ['one', () => (schemas.app[1] = `'longer'`), false],
    ['the one before, on more lines', () => (schemas.app[0] = '2,\n minimum:\n 7'), false],
    ['one in the other file', () => (schemas.more[0] = '[2, 3]'), false],
    ['the same again, and one behind it', () => (schemas.more = ['[2, 3, 4]', `'n'`]), false],
    ['one in each', () => ([schemas.app[2], schemas.more[1]] = ['{}', '{}']), false],
    ['one as it was', () => (schemas.app[1] = '1'), false],
    [
      'all as they were',
      () => Object.assign(schemas, { app: ['1', '1', '1'], more: ['1', '1'] }),
      false,
    ],
    ['what has gone', () => rmSync(join(folder, 'warm'), { recursive: true }), false],
    ['paths', () => (path = '/new/'), true],
    ['one after that', () => (schemas.app[0] = '5'), false],
  ]
  for (const [title, edit, isScanned] of steps) {
    edit()
    save()
    const warm = await build(options)
    const cold = await build({ ...options, out: join(folder, 'cold'), cache: false })
    assert.deepEqual(warm.diagnostics, [], title)
    assert.deepEqual(toldBy(warm), toldBy(cold), title)
    assert.equal(warm.artifact?.reuse.isScanned, isScanned, title)
    assert.equal(warm.artifact?.reuse.unchanged, false, title)
  }
})

test('what a package manager has noted is gone, or is a folder', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-kept-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules/odd'), { recursive: true })
  const note = join(folder, 'node_modules/.package-lock.json')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'node_modules/odd/package.json'),
    '{ "name": "odd", "type": "module", "main": "i.js" }',
  )
  writeFileSync(join(folder, 'node_modules/odd/i.js'), 'export default () => 1')
  const text = `import framework from 'framework'\nimport odd from 'odd'\nexport const app = framework()\nexport const one = () => odd()\n${route('{ querystring: { n: { const: 1 } } }')}`
  writeFileSync(join(folder, 'app.js'), text)
  const options = { entry: join(folder, 'app.js'), out: join(folder, 'warm') }
  const compare = async (): Promise<boolean | undefined> => {
    const warm = await build(options)
    const cold = await build({ ...options, out: join(folder, 'cold'), cache: false })
    assert.deepEqual(toldBy(warm), toldBy(cold))
    return warm.artifact?.reuse.isScanned
  }
  writeFileSync(note, '{}')
  assert.equal(await compare(), true)
  rmSync(note)
  assert.equal(await compare(), true)
  mkdirSync(note)
  assert.equal(await compare(), false)
})
