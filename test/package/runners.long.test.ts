/** Jest and Vitest run the tests of applications that have the published package, built ahead of time and in development. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPackedFolder, pack, type PackedFolder } from '../support/packed.ts'

const tarballs = pack({ after })
const REGISTER = './.framework/register.js'
const DEVELOPMENT = 'framework/development'

function build(app: PackedFolder, entry: string): void {
  const { status, stderr } = app.framework('build', entry)
  assert.equal(status, 0, stderr)
}

interface Run {
  readonly title: string
  readonly isBuilt: boolean
  readonly setup?: string
  readonly nodeOptions?: string
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
]

for (const { title, isBuilt, setup, nodeOptions = '', workers } of runs) {
  test(`Jest, ${title}, ${workers}`, (t) => {
    const app = createPackedFolder(t, tarballs, ['jest'])
    app.copy('testing/jest')
    const jest = setup === undefined ? {} : { setupFiles: [setup] }
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
    const config = { test: setup === undefined ? {} : { setupFiles: [setup] } }
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
