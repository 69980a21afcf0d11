/** A module may read files in a folder that another one passes to it. A deployment has these files, or lists the module that passes the folder. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DeployResult } from '../../../compiler/deploy/index.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { startElsewhere } from '../../support/start-elsewhere.ts'
import type { Server } from '../../support/start-server.ts'
import { createWorkshop } from '../../support/workshop.ts'

/** Each one reads the file of its name in `texts/`. */
const cases: Readonly<Record<string, string>> = {
  'a function that returns a path': `text(pathIn(here))`,
  'a function that reads the file': `readIn(import.meta.dirname)`,
  'a function of the same module': `ownReader(here)`,
  'a function that goes up': `upFrom(join(here, 'deep'))`,
  'a class': `new Texts(here).read()`,
  'a URL': `readBeside(import.meta.url)`,
  'an option of a plugin': 'await app.inject("/plugin").then(({ body }) => body)',
  'a helper': `text(inHere('texts', 'a helper.txt'))`,
  'a name in data': `readAll(here, [{ file: 'texts/a name in data.txt' }])`,
  'a constant': `text(join(ROOT, 'texts', 'a constant.txt'))`,
  'an exported list': `text(join(exported, 'texts/an exported list.txt'))`,
  'a default': `readDefault()`,
  'a global': 'text(`${globalThis.root}/texts/a global.txt`)',
  'a variable that is set later': `text(later + '/texts/a variable that is set later.txt')`,
  'a part of a name': `readPart(here, query.of)`,
  'a folder': `listed(here)`,
  CommonJS: `old.read()`,
}

describe('a folder that is passed on', () => {
  const texts = Object.keys(cases).map((name) => [`texts/${name}.txt`, name])
  const shop = createWorkshop({ after }, 'cli/empty', {
    ...Object.fromEntries(texts),
    'lists/a folder.txt': 'a folder',
    'texts/secret.txt': 'Nothing names it.',
    'beside.txt': 'beside',
    'deep/placeholder.js': '',
    'config/root.js': `import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
export const inHere = (...parts) => join(ROOT, ...parts)
`,
    'config/list.cjs': `const path = require('path')
exports.folders = { root: path.dirname(__dirname) }
`,
    'old.cjs': `const { Reader } = require('./lib/reader.cjs')
exports.read = () => new Reader({ base: __dirname }).read()
`,
    'lib/reader.cjs': `const fs = require('fs')
exports.Reader = class {
  constructor(options) { this.options = options }
  read() { return fs.readFileSync(this.options.base + '/texts/CommonJS.txt', 'utf8') }
}
`,
    'lib/reading.js': `import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
export const pathIn = (dir) => join(dir, 'texts', 'a function that returns a path.txt')
export const readIn = (dir) => readFileSync(resolve(dir, 'texts/a function that reads the file.txt'), 'utf8')
export const upFrom = (dir) => readFileSync(join(dir, '../texts/a function that goes up.txt'), 'utf8')
export const readBeside = (base) => readFileSync(new URL('./texts/a URL.txt', base), 'utf8')
export const readPart = (dir, part) => readFileSync(join(dir, 'texts', \`a \${part} of a name.txt\`), 'utf8')
export const readAll = (dir, list) => list.map(({ file }) => readFileSync(join(dir, file), 'utf8')).join('')
export const listed = (dir) => readdirSync(join(dir, 'lists')).join('').replace('.txt', '')
export const readDefault = (dir = globalThis.fallback) => readFileSync(join(dir, 'texts', 'a default.txt'), 'utf8')
export class Texts {
  #folder
  constructor(folder) {
    this.#folder = folder
  }
  read() {
    return readFileSync(join(this.#folder, 'texts', 'a class.txt'), 'utf8')
  }
}
export async function plugin(app, options) {
  app.get('/plugin', () => readFileSync(join(options.root, 'texts', 'an option of a plugin.txt'), 'utf8'))
}
`,
    'node_modules/views/package.json': { name: 'views', version: '1.0.0' },
    'node_modules/views/index.js': `const { existsSync } = require('node:fs')
exports.at = (folder) => existsSync(folder)
`,
    'pages/views/index.js': `import { at } from 'views'
export const hasViews = () => at(import.meta.dirname)
`,
    'pages/none.js': `import { relative } from 'node:path'
const here = import.meta.dirname
export const where = (file) => relative(here, file)
`,
  })
  shop.writeApp(`import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import framework from 'framework/5'
import { ROOT, inHere } from './config/root.js'
import list from './config/list.cjs'
import old from './old.cjs'
import { where } from './pages/none.js'
import { hasViews } from './pages/views/index.js'
import { pathIn, readIn, upFrom, readBeside, readPart, readAll, readDefault, listed, Texts, plugin } from './lib/reading.js'
const here = dirname(fileURLToPath(import.meta.url))
const text = (file) => readFileSync(file, 'utf8')
const ownReader = (dir) => {
  const found = readFileSync(join(dir, 'texts/a function of the same module.txt'), 'utf8')
  return found
}
const exported = list.folders.root
globalThis.root = here
globalThis.fallback = process.env.NOT_SET || here
let later
later = here
export default function shop() {
  const app = framework()
  app.register(plugin, { root: here })
  ${Object.values(cases)
    .map((expression, i) => `app.get('/${i}', async ({ query }) => ({ value: ${expression} }))`)
    .join('\n  ')}
  app.get('/none', async () => [where('x'), hasViews()])
  return app
}
`)
  const elsewhere = temporaryFolder({ after })
  let server: Server
  let deployed: DeployResult

  before(async () => {
    ;({ deployed, server } = await startElsewhere(shop.folder, elsewhere))
  })
  after(() => server.stop())

  Object.keys(cases).forEach((name, i) => {
    test(`reaches a file through ${name}`, async () => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/${i}?of=part`)
      assert.deepEqual(await answer.json(), { value: name })
    })
  })

  test('brings no other files', () => {
    const assets = deployed.deployment?.assets.filter((file) => /secret|beside/.test(file))
    assert.deepEqual(assets, [])
  })

  test('is listed if no file is known', () => {
    assert.deepEqual(deployed.deployment?.unknownFiles, ['config/root.js', 'pages/views/index.js'])
  })
})
