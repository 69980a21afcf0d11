/** The name `fastify` resolves to this package: by a preload, or installed under that name. `recipes/instead.long.test.ts` uses package managers. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { after, test } from 'node:test'
import { VERSION } from '../../runtime/artifact/version.ts'
import { writeAll } from '../support/folders.ts'
import { createPackedFolder, pack, type PackedFolder } from '../support/packed.ts'

const tarballs = pack({ after })

/** An application for Fastify whose plugin requires Fastify. */
function createApplication(t: { after(end: () => void): void }): PackedFolder {
  const app = createPackedFolder(t, tarballs)
  writeAll(app.folder, {
    'package.json': { private: true, type: 'module' },
    'app.js': `import fastify, { errorCodes } from 'fastify'
import books from './books.cjs'
const app = fastify()
app.register(books, { seen: errorCodes })
const [valid, invalid] = await Promise.all(['2', 'two'].map((page) => app.inject('/?page=' + page)))
console.log(valid.body, invalid.statusCode, import.meta.resolve('fastify'))
`,
    'books.cjs': `const fastify = require('fastify')
module.exports = async (app, { seen }) => {
  const querystring = { type: 'object', properties: { page: { type: 'integer' } } }
  app.get('/', { schema: { querystring } }, async ({ query }) => ({
    ...query,
    isKnown: new seen.FST_ERR_NOT_FOUND() instanceof fastify.errorCodes.FST_ERR_NOT_FOUND,
  }))
}
`,
  })
  return app
}

/** A folder from which the real Fastify can't be found. */
const NO_CODE = '--disallow-code-generation-from-strings'
const REGISTER = './.framework/register.js'
const answered =
  /^\{"page":2,"isKnown":true\} 400 file:.*node_modules\/(\w+)\/(?:dist\/)?(?:index|fastify-of-artifact)\.c?js\n$/

test('by a preload, whether the real Fastify is installed or not', (t) => {
  const app = createApplication(t)
  const run = (flag: string): void => {
    const built = app.framework('build', 'app.js', '--server', 'framework')
    assert.match(built.stdout, /--import framework\/fastify --import \.\/\.framework\/register\.js/)
    const preloads = [flag, 'framework/fastify', '--import', REGISTER]
    const { stdout, stderr } = app.node([NO_CODE, ...preloads, 'app.js'])
    assert.equal(stderr, '')
    assert.equal(answered.exec(stdout)?.[1], 'framework', stdout)
  }
  run('--import')
  app.link('fastify')
  run('--require')
  // Tools such as Vitest resolve the name themselves.
  const program = `const file = require.resolve('./node_modules/fastify/fastify.js')
const names = [require('fastify'), require(file)].map((one) => one.name)
Promise.all(['fastify', file].map((one) => import(one)))
  .then((all) => console.log(...names, ...all.map((one) => one.default.name)))`
  const { stdout } = app.node(['--import', 'framework/fastify', '--eval', program])
  assert.equal(stdout, 'framework framework framework framework\n')
})

test('by a preload without an artifact: the line of the installed Fastify', (t) => {
  const versions = (name?: string): readonly string[] => {
    const app = createApplication(t)
    app.write('version.cjs', "console.log(require('fastify')().version)")
    app.write('version.mjs', "import fastify from 'fastify'\nconsole.log(fastify().version)")
    if (name !== undefined) {
      app.link(name)
      renameSync(app.installed(name), app.installed('fastify'))
    }
    const flags = ['framework/fastify', 'framework/development'].flatMap((one) => ['--import', one])
    return ['version.cjs', 'version.mjs'].map((file) => {
      const { stdout, stderr } = app.node([...flags, file])
      assert.equal(stderr, '')
      return stdout
    })
  }
  const four = ['4.21.0\n', '4.21.0\n']
  assert.deepEqual(versions(), four)
  assert.deepEqual(versions('fastify'), four)
  assert.deepEqual(versions('fastify-5'), ['5.12.8\n', '5.12.8\n'])
})

function assertServed(app: PackedFolder): void {
  const built = app.framework('build', 'app.js')
  assert.match(built.stdout, /node --import \.\/\.framework\/register\.js app\.js/)
  const { stdout, stderr } = app.node([NO_CODE, '--import', REGISTER, 'app.js'])
  assert.equal(stderr, '')
  assert.equal(answered.exec(stdout)?.[1], 'fastify', stdout)
}

test('installed under that name', (t) => {
  const app = createApplication(t)
  cpSync(app.installed('framework'), app.installed('fastify'), { recursive: true })
  assertServed(app)
})

test('installed under that name with the version of Fastify 5', (t) => {
  const app = createApplication(t)
  const installed = app.installed('fastify')
  mkdirSync(installed)
  execFileSync('tar', ['-xzf', tarballs.fastify, '-C', installed, '--strip-components=1'])
  app.write('version.js', "import fastify from 'fastify'\nconsole.log(fastify().version)\n")
  const { version, dependencies } = JSON.parse(app.read('node_modules/fastify/package.json')) as {
    version: string
    dependencies: object
  }
  assert.deepEqual(dependencies, { framework: VERSION })
  assert.equal(app.node(['version.js']).stdout, `${version}\n`)
  assertServed(app)
})
