/** Jest and Vitest run the tests of applications that have the published package, built ahead of time and in development. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, test } from 'node:test'
import { createPackedFolder, pack, type PackedFolder } from '../support/packed.ts'

const tarballs = pack({ after })
const REGISTER = './.framework/register.js'
const DEVELOPMENT = 'framework/development'

function build(app: PackedFolder, entry: string): void {
  const { status, stderr } = app.framework('build', entry, '--target', 'framework')
  assert.equal(status, 0, stderr)
}

/** Makes it an application for Fastify, which is installed and ends whatever loads it. */
function importFastify(app: PackedFolder): void {
  for (const file of readdirSync(app.folder).filter((one) => /\.[jt]s$/.test(one)))
    app.write(file, app.read(file).replaceAll("'framework'", "'fastify'"))
  const manifest = { name: 'fastify', version: '4.21.0', main: 'fastify.js' }
  app.write('node_modules/fastify/package.json', JSON.stringify(manifest))
  app.write('node_modules/fastify/fastify.js', "throw new Error('This is Fastify itself.')\n")
}

interface Run {
  readonly title: string
  readonly isBuilt: boolean
  readonly setup?: string
  readonly nodeOptions?: string
  /** True for an application that imports Fastify. */
  readonly isReplaced?: boolean
  /** Jest runs tests in its own process or in others. */
  readonly workers: string
}

const runs: readonly Run[] = [
  { title: 'an artifact by setup', isBuilt: true, setup: REGISTER, workers: '--runInBand' },
  {
    title: 'an artifact by preload',
    isBuilt: true,
    nodeOptions: `--import ${REGISTER}`,
    workers: '--maxWorkers=2',
  },
  { title: 'development by setup', isBuilt: false, setup: DEVELOPMENT, workers: '--maxWorkers=2' },
  {
    title: 'development by preload',
    isBuilt: false,
    nodeOptions: `--import ${DEVELOPMENT}`,
    workers: '--runInBand',
  },
  {
    title: 'an artifact in place of Fastify',
    isBuilt: true,
    setup: REGISTER,
    isReplaced: true,
    workers: '--runInBand',
  },
  {
    title: 'development in place of Fastify',
    isBuilt: false,
    setup: DEVELOPMENT,
    isReplaced: true,
    workers: '--maxWorkers=2',
  },
]

for (const { title, isBuilt, setup, nodeOptions = '', isReplaced = false, workers } of runs) {
  test(`Jest, ${title}, ${workers}`, (t) => {
    const app = createPackedFolder(t, tarballs, ['jest'])
    app.copy('testing/jest')
    if (isReplaced) importFastify(app)
    const jest = {
      ...(setup !== undefined && { setupFiles: [setup] }),
      ...(isReplaced && { moduleNameMapper: { '^fastify$': 'framework' } }),
    }
    app.write('package.json', JSON.stringify({ private: true, jest }))
    app.write('entry.js', "module.exports = require('./app')()\n")
    if (isBuilt) build(app, 'entry.js')
    const run = app.node([`${app.installed('jest')}/bin/jest.js`, workers, '--no-cache'], {
      NODE_OPTIONS: nodeOptions,
    })
    assert.match(run.stderr, /Tests: +4 passed, 4 total/)
    assert.equal(run.status, 0)
  })

  test(`Vitest, ${title}`, (t) => {
    const app = createPackedFolder(t, tarballs, ['vitest'])
    app.copy('testing/vitest')
    app.write('package.json', JSON.stringify({ private: true, type: 'module' }))
    if (isReplaced) importFastify(app)
    const setupFiles = [...(isReplaced ? ['framework/fastify'] : []), setup]
    const config = { test: setup === undefined ? {} : { setupFiles } }
    app.write('vitest.config.js', `export default ${JSON.stringify(config)}\n`)
    if (isBuilt) build(app, 'app.ts')
    const run = app.node([`${app.installed('vitest')}/vitest.mjs`, 'run'], {
      NODE_OPTIONS: nodeOptions,
    })
    assert.match(run.stdout, /Tests {2}2 passed \(2\)/, run.stderr)
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
