/** A build with a cache writes the same bytes as a build from scratch. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { Session } from '../../compiler/build.ts'
import { type BuildResult, build } from '../../compiler/index.ts'
import { digestOf } from '../../runtime/artifact/digest.ts'
import { runs, runsAll } from '../support/runs.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

interface Site extends Workshop {
  /** With the cache of earlier builds; `undefined` when there are problems. */
  warm(): Promise<Built>
  /** From scratch. */
  cold(): Promise<Built>
}

interface Built {
  readonly result: BuildResult
  /** The files that the build wrote, as they lie on the disk. */
  readonly files: ReadonlyMap<string, string>
}

const start: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "type": "module" }',
  'app.js': `import framework from 'framework'
import { readFileSync } from 'node:fs'
import { limits } from 'limits'
import { items } from './items.js'
import extra from './extra'
export default function build() {
  const app = framework()
  app.addSchema({ $id: 'price', type: 'object', properties: { amount: { type: 'number' } } })
  app.addSchema(JSON.parse(readFileSync(new URL('./data.json', import.meta.url), 'utf8')))
  app.register(items, { prefix: '/items' })
  app.register(extra)
  app.get('/limits', { schema: { querystring: { type: 'object', properties: { n: { type: 'integer', maximum: limits() } } } } }, () => '')
  return app
}
`,
  'items.js': `export async function items(app) {
  app.get('/:id', { schema: { params: { id: { type: 'integer' } } } }, async () => '')
  app.post('/', { schema: { body: { type: 'object', properties: { price: { $ref: 'price#' }, size: { $ref: 'size#' }, n: { const: null } } } } }, async () => '')
}
`,
  'extra.js': 'export default async function extra(app) { app.get("/extra", () => "") }\n',
  'data.json': '{ "$id": "size", "type": "string", "maxLength": 10 }',
  'node_modules/limits/package.json':
    '{ "name": "limits", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  'node_modules/limits/index.js':
    "import { value } from './value.js'\nexport const limits = () => value\n",
  'node_modules/limits/value.js': 'export const value = 100\n',
}

/** @param session the state that builds of one process share, as under `framework dev` */
function createSite(t: TestContext, session?: Session): Site {
  const shop = createWorkshop(t, 'cli/empty', start)
  const { folder } = shop
  return { ...shop, warm: () => run('warm', true), cold: () => run('cold', false) }

  async function run(name: string, cache: boolean): Promise<Built> {
    const out = join(folder, name)
    const options = { entry: join(folder, 'app.js'), out, cache }
    const result = await build(options, undefined, cache ? session : undefined)
    const { parts, entryFiles } = result.artifact?.output ?? { parts: [], entryFiles: [] }
    const names = [...parts, ...entryFiles].map(([file]) => file)
    return {
      result,
      files: new Map(names.map((file) => [file, readFileSync(join(out, file), 'utf8')])),
    }
  }
}

/** Writes a file as it is at the start, except for one replacement. */
function rewrite(site: Site, file: string, from: string, to: string): void {
  site.write(file, (start[file] as string).replace(from, to))
}

async function compare(site: Site): Promise<Built> {
  const [warm, cold] = [await site.warm(), await site.cold()]
  assert.deepEqual(warm.result.diagnostics, cold.result.diagnostics)
  assert.deepEqual(warm.result.warnings, cold.result.warnings)
  assert.deepEqual(warm.files, cold.files)
  return warm
}

/** Files of the cache for the folder `warm`. */
function cacheFiles(site: Site): string[] {
  const folder = join(site.folder, 'node_modules/.cache/framework')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join('node_modules/.cache/framework', file))
    .filter((file) => /build$|units$/.test(file))
}

test('without changes nothing is compiled; after a change of one route, only its functions', async (t) => {
  const site = createSite(t)
  const { reuse } = (await site.warm()).result.artifact ?? assert.fail('there are problems')
  const unkept = undefined
  assert.deepEqual(reuse, { unchanged: false, unkept, compiled: 3, reused: 0 })
  const again = (await site.warm()).result.artifact?.reuse
  assert.deepEqual(again, { unchanged: true, unkept, compiled: 0, reused: 3 })
  rewrite(site, 'items.js', 'const: null', 'const: 1')
  const edited = (await compare(site)).result.artifact?.reuse
  assert.deepEqual(edited, { unchanged: false, unkept, compiled: 1, reused: 2 })
  site.write('items.js', `// first\n${site.read('items.js')}`)
  const moved = (await compare(site)).result.artifact?.reuse
  assert.deepEqual(moved, { unchanged: false, unkept, compiled: 0, reused: 3 })
})

test('a build that finds nothing changed repeats its warnings; newly installed packages are examined', async (t) => {
  const site = createSite(t)
  const install = (version: string, text: string): void => {
    site.write('node_modules/odd/package.json', '{ "type": "module", "main": "i.js" }')
    site.write('node_modules/odd/i.js', text)
    site.write('node_modules/.package-lock.json', `{ "packages": { "odd": "${version}" } }`)
  }
  const use = "import odd from 'odd'\nexport const use = () => odd()\n"
  rewrite(site, 'app.js', 'import', `${use}import`)
  const count = async (): Promise<number> => (await compare(site)).result.warnings.length
  install('1.0.0', 'export default () => new Function("return 1")()')
  assert.equal(await count(), 1)
  assert.equal((await site.warm()).result.artifact?.reuse.unchanged, true)
  assert.equal(await count(), 1)
  install('1.0.1', 'export default () => 1')
  assert.equal(await count(), 0)
  rewrite(site, 'items.js', 'const: null', 'const: 1')
  assert.equal(await count(), 0)
  install('1.0.2', 'export default () => eval("1")')
  assert.equal(await count(), 1)
})

test('a warning about a compiled schema is repeated, whether or not anything has changed', async (t) => {
  const site = createSite(t)
  const route = `app.get('/search', { schema: { querystring: { type: 'object', properties: {
    by: { pattern: { $data: '1/how' } },
    how: {},
  } } } }, async () => '')`
  site.edit('app.js', 'framework()', 'framework({ ajv: { customOptions: { $data: true } } })')
  site.edit('app.js', '  return app', `${route}\n  return app`)
  const codes = async (): Promise<string[]> =>
    (await compare(site)).result.warnings.map(({ code }) => code)
  assert.deepEqual(await codes(), ['AOT_PATTERN_FROM_DATA'])
  assert.equal((await site.warm()).result.artifact?.reuse.unchanged, true)
  assert.deepEqual(await codes(), ['AOT_PATTERN_FROM_DATA'])
  rewrite(site, 'items.js', 'integer', 'string')
  assert.deepEqual(await codes(), ['AOT_PATTERN_FROM_DATA'])
})

const typed = 'export default async function (app) { app.get("/typed", () => "") }\n'
const mappings = '{ "compilerOptions": { "paths": { "limits": ["./mapped.js"] } } }'

const edits: readonly (readonly [title: string, edit: (site: Site) => void])[] = [
  ['a schema', (site) => rewrite(site, 'items.js', 'integer', 'string')],
  [
    'a value that JSON does not show',
    (site) => rewrite(site, 'items.js', 'const: null', 'const: NaN'),
  ],
  ['a shared schema', (site) => rewrite(site, 'app.js', "'number'", "'integer'")],
  ['lines, and so places', (site) => rewrite(site, 'app.js', 'import', '\nimport')],
  [
    'compiler options',
    (site) =>
      rewrite(
        site,
        'app.js',
        '()\n  app',
        '({ ajv: { customOptions: { allErrors: true } } })\n  app',
      ),
  ],
  ['a file that is read', (site) => rewrite(site, 'data.json', '10', '11')],
  ['a file of a package', (site) => rewrite(site, 'node_modules/limits/value.js', '100', '200')],
  [
    'the package behind a name',
    (site) => rewrite(site, 'node_modules/limits/package.json', './index.js', './other.js'),
  ],
  ['a file that comes first', (site) => site.write('extra.ts', typed)],
  ['a folder with a package.json', (site) => site.write('warm/package.json', '{}')],
  ['path mappings', (site) => site.write('tsconfig.json', mappings)],
  ['a problem', (site) => rewrite(site, 'items.js', 'price#', 'prise#')],
]

for (const [title, edit] of edits) {
  test(`a later build sees a change of ${title}`, async (t) => {
    const site = createSite(t)
    site.write('mapped.js', 'export const limits = () => 300\n')
    site.write('node_modules/limits/other.js', 'export const limits = () => 400\n')
    const before = await site.warm()
    edit(site)
    // The same for both, since the folder decides about the module system.
    if (existsSync(join(site.folder, 'warm/package.json'))) {
      await site.cold()
      site.write('cold/package.json', '{}')
    }
    const after = await compare(site)
    assert.notDeepEqual(after.files, before.files)
  })
}

test('random sequences of edits: the artifact is the one of a build from scratch, byte for byte', async (t) => {
  const step = fc.record({
    edit: fc.nat(edits.length - 1),
    undo: fc.boolean(),
    route: fc.option(fc.record({ file: fc.nat(2), limit: fc.nat(3) })),
  })
  const sequence = fc.array(step, { minLength: 1, maxLength: 6 })
  const property = fc.asyncProperty(sequence, fc.boolean(), async (steps, isOneProcess) => {
    const site = createSite(t, isOneProcess ? {} : undefined)
    await site.warm()
    for (const { edit, undo, route } of steps) {
      if (undo) for (const [file, text] of Object.entries(start)) site.write(file, text)
      // Another test has a package.json in the folder of the artifact.
      const [title, change] = edits[edit] as (typeof edits)[number]
      if (!title.includes('folder')) change(site)
      if (route !== null) {
        const { file, limit } = route
        const schema = `{ querystring: { type: 'object', properties: { a: { type: 'integer', maximum: ${limit} } } } }`
        site.write(
          file === 0 ? 'extra.js' : `extra/index.js`,
          `export default async function (app) { app.get('/extra/${file}', { schema: ${schema} }, () => '') }\n`,
        )
      }
      await compare(site)
    }
  })
  await fc.assert(property, runs(1))
})

test('a damaged cache is not used', async (t) => {
  const site = createSite(t)
  const expected = (await site.warm()).files
  const files = cacheFiles(site)
  assert.equal(files.length, 2)
  const whole = new Map(files.map((file) => [file, readFileSync(join(site.folder, file))]))
  const damage = fc.record({
    file: fc.constantFrom(...files),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    // 0 truncates.
    flip: fc.nat(255),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      for (const [file, content] of whole) writeFileSync(join(site.folder, file), content)
      for (const { file, at, flip } of damages) {
        const content = readFileSync(join(site.folder, file))
        const place = Math.floor(content.length * at)
        if (flip !== 0 && content.length > 0) content[place] = (content[place] as number) ^ flip
        writeFileSync(join(site.folder, file), flip === 0 ? content.subarray(0, place) : content)
      }
      const damaged = new Set(
        files.filter((file) => !whole.get(file)?.equals(readFileSync(join(site.folder, file)))),
      )
      const { result, files: built } = await site.warm()
      assert.deepEqual(built, expected)
      const reuse = result.artifact?.reuse
      const isDamaged = (name: string): boolean => [...damaged].some((file) => file.endsWith(name))
      assert.equal(reuse?.unchanged, !isDamaged('build'))
      if (isDamaged('build')) assert.equal(reuse?.reused, isDamaged('units') ? 0 : 3)
    }),
    runs(8),
  )
})

test('a damaged artifact is written again', async (t) => {
  const site = createSite(t)
  const expected = (await site.warm()).files
  const damages = [(text: string) => text.slice(1), () => undefined]
  for (const [i, file] of [...expected.keys()].entries()) {
    for (const damage of runsAll ? damages : damages.slice(i % 2, (i % 2) + 1)) {
      const text = damage(site.read(`warm/${file}`))
      if (text === undefined) rmSync(join(site.folder, 'warm', file))
      else site.write(`warm/${file}`, text)
      const { result, files } = await site.warm()
      assert.deepEqual(files, expected)
      assert.equal(result.artifact?.reuse.unchanged, false, file)
      assert.equal(result.artifact?.reuse.compiled, 0)
    }
  }
})

test('the cache of another compiler is not used, whatever its format', async (t) => {
  const site = createSite(t)
  await site.warm()
  for (const file of cacheFiles(site)) {
    const [compiler = ''] = site.read(file).split(' ')
    const foreign = `{"format":"of another release"}\nin several lines`
    site.write(file, `${compiler.replace(/^./, '?')} ${digestOf(foreign)}\n${foreign}`)
  }
  const reuse = (await compare(site)).result.artifact?.reuse
  const unkept = undefined
  assert.deepEqual(reuse, { unchanged: false, compiled: 3, reused: 0, unkept })
})

test('a cache that cannot be written is reported, and the artifact is written all the same', async (t) => {
  const site = createSite(t)
  site.write('node_modules/.cache', 'a file')
  const { reuse } = (await compare(site)).result.artifact ?? assert.fail('there are problems')
  assert.match(reuse.unkept ?? '', /ENOTDIR|EEXIST/)
})

test('code that may read any file is run again by every build', async (t) => {
  const site = createSite(t)
  site.write(
    'node_modules/limits/index.js',
    "import { readFileSync } from 'node:fs'\nexport const limits = () => Number(readFileSync(new URL('limit', import.meta.url), 'utf8'))\n",
  )
  site.write('node_modules/limits/limit', '5')
  const before = await site.warm()
  assert.match(
    before.result.artifact?.reuse.unkept ?? '',
    /code of the application that may depend on more/,
  )
  site.write('node_modules/limits/limit', '6')
  assert.notDeepEqual((await compare(site)).files, before.files)
})
