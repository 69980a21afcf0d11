/** Jest and Vitest run the tests of applications that have the published package, built ahead of time and in development. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, test } from 'node:test'
import { createPackedFolder, pack, type PackedFolder } from '../support/packed.ts'

const tarballs = pack({ after })
const REGISTER = './.framework/register.js'
const DEVELOPMENT = 'framework/development'

function build(app: PackedFolder, entry: string): void {
  const { status, stderr } = app.framework('build', entry, '--server', 'framework')
  assert.equal(status, 0, stderr)
}

/** Turns it into an application for Fastify, whose installed package throws when it's loaded. */
function importFastify(app: PackedFolder): void {
  for (const file of readdirSync(app.folder).filter((one) => /\.[jt]s$/.test(one)))
    app.write(file, app.read(file).replaceAll("'framework'", "'fastify'"))
  const manifest = { name: 'fastify', version: '4.21.0', main: 'fastify.js' }
  app.write('node_modules/fastify/package.json', JSON.stringify(manifest))
  app.write('node_modules/fastify/fastify.js', "throw new Error('This is Fastify itself.')\n")
}

const preloads = {
  'an artifact': [REGISTER],
  development: [DEVELOPMENT],
  both: [REGISTER, DEVELOPMENT],
} as const

/** Tests that change the environment, and add a route to the application. */
const OWN_ROUTE = `test('as in production', async () => {
  process.env.NODE_ENV = 'production'
  const app = build()
  app.post('/own', { schema: { body: { type: 'object', required: ['own'] } } }, async () => 'ok')
  const urls = ['/own', '/items']
  const answers = urls.map((url) => app.inject({ method: 'POST', url, payload: {} }))
  expect((await Promise.all(answers)).map((one) => one.statusCode)).toEqual([400, 400])
})
`
const IMPORTS = "import { expect, test } from 'vitest'\nimport { build } from './app.ts'"

/** The number of workers is for Jest, which runs tests in its own process or in other ones. */
const runs = [
  ['an artifact', 'by setup', '--runInBand'],
  ['an artifact', 'by preload', '--maxWorkers=2'],
  ['development', 'by setup', '--maxWorkers=2'],
  ['development', 'by preload', '--runInBand'],
  ['both', 'by setup', '--runInBand'],
  ['both', 'by preload', '--maxWorkers=2'],
  ['an artifact', 'in place of Fastify', '--runInBand'],
  ['development', 'in place of Fastify', '--maxWorkers=2'],
] as const

for (const [what, way, workers] of runs) {
  const title = `${what} ${way}`
  const isBuilt = what !== 'development'
  const isOnlyBuilt = what === 'an artifact'
  const isReplaced = way === 'in place of Fastify'
  const setup = way === 'by preload' ? [] : preloads[what]
  const flags = preloads[what].map((one) => `--import ${one}`).join(' ')
  const env = { NODE_OPTIONS: way === 'by preload' ? flags : '' }

  test(`Jest, ${title}, ${workers}`, (t) => {
    const app = createPackedFolder(t, tarballs, ['jest'])
    app.copy('testing/jest')
    if (!isOnlyBuilt) app.write('own.test.js', `const build = require('./app')\n${OWN_ROUTE}`)
    if (isReplaced) importFastify(app)
    const jest = {
      setupFiles: setup,
      ...(isReplaced && { moduleNameMapper: { '^fastify$': 'framework' } }),
    }
    app.write('package.json', JSON.stringify({ private: true, jest }))
    app.write('entry.js', "module.exports = require('./app')()\n")
    if (isBuilt) build(app, 'entry.js')
    const jestFile = `${app.installed('jest')}/bin/jest.js`
    const run = app.node([jestFile, workers, '--no-cache'], env)
    assert.match(
      run.stderr,
      isOnlyBuilt ? /Tests: +4 passed, 4 total/ : /Tests: +5 passed, 5 total/,
    )
    assert.equal(run.status, 0)
  })

  test(`Vitest, ${title}`, (t) => {
    const app = createPackedFolder(t, tarballs, ['vitest'])
    app.copy('testing/vitest')
    if (!isOnlyBuilt) app.write('own.test.js', `${IMPORTS}\n${OWN_ROUTE}`)
    app.write('package.json', JSON.stringify({ private: true, type: 'module' }))
    if (isReplaced) importFastify(app)
    const config = {
      test: { setupFiles: [...(isReplaced ? ['framework/fastify'] : []), ...setup] },
    }
    app.write('vitest.config.js', `export default ${JSON.stringify(config)}\n`)
    if (isBuilt) build(app, 'app.ts')
    const run = app.node([`${app.installed('vitest')}/vitest.mjs`, 'run'], env)
    assert.match(run.stdout, isOnlyBuilt ? /Tests {2}2 passed/ : /Tests {2}3 passed/, run.stderr)
    assert.equal(run.status, 0)
  })
}

test('without an artifact Jest shows what to run', (t) => {
  const app = createPackedFolder(t, tarballs, ['jest'])
  app.copy('testing/jest')
  app.write('package.json', JSON.stringify({ private: true }))
  const run = app.node([`${app.installed('jest')}/bin/jest.js`, '--runInBand'])
  assert.match(run.stderr, /No artifact is loaded, but .* Run "framework build/)
  assert.equal(run.status, 1)
})
