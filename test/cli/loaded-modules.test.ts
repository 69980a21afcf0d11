import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

/** Returns the modules that the shop loads when it serves a validated and serialized request. */
function loadedBy(t: TestContext, ...preload: string[]): readonly string[] {
  const shop = createWorkshop(t, 'cli/shop')
  shop.succeed('build', 'app.js')
  const record = new URL('../support/record-modules.js', import.meta.url).href
  const flags = preload.flatMap((file) => ['--import', file])
  const { stdout, stderr } = shop.node('--import', record, ...flags, 'main.js')
  assert.match(stdout, /"statusCode":201/, stderr)
  const line = stdout.split('\n').find((line) => line.startsWith('LOADED ')) ?? ''
  return JSON.parse(line.slice('LOADED '.length)) as string[]
}

const COMPILERS =
  /node_modules\/(ajv|ajv-formats|fast-json-stringify|fast-uri|ts-morph|@ts-morph|rollup|esbuild)\//

test('with an artifact no compiler is loaded, nor anything that only some applications need', (t) => {
  const loaded = loadedBy(t, './.framework/register.js')
  assert.ok(loaded.some((module) => module.includes('/runtime/dist/index.js')))
  assert.ok(loaded.some((module) => /\.framework\/chunks\//.test(module)))
  assert.deepEqual(
    loaded.filter((module) => COMPILERS.test(module) || module.includes('/compiler/dist/')),
    [],
  )
  assert.deepEqual(
    loaded.filter((module) => /node_modules\/(pino|proxy-addr|semver)\//.test(module)),
    [],
  )
})

test('the record shows compilers where there are some', (t) => {
  assert.ok(loadedBy(t, 'framework/development').some((module) => COMPILERS.test(module)))
})

test('a build loads few files of its own, the parser of TypeScript alone, and nothing that joins modules', (t) => {
  const shop = createWorkshop(t, 'cli/shop')
  const record = new URL('../support/record-modules.js', import.meta.url).href
  const command = join(shop.folder, 'node_modules/framework/dist/command.js')
  const { stdout, stderr } = shop.node('--import', record, command, 'build', 'app.js')
  const line = stdout.split('\n').find((line) => line.startsWith('LOADED ')) ?? ''
  const loaded = JSON.parse(line.slice('LOADED '.length)) as string[]
  assert.ok(
    loaded.some((module) => /node_modules\/ajv\//.test(module)),
    stderr,
  )
  assert.deepEqual(
    loaded.filter((module) => /node_modules\/(ts-morph|@ts-morph|rollup|@rollup)\//.test(module)),
    [],
  )
  const own = loaded.filter(
    (module) => !/node_modules\/(?!framework\/)/.test(module) && /\/dist\//.test(module),
  )
  assert.ok(own.some((module) => module.endsWith('/compiler/dist/cli.js')))
  assert.ok(own.length < 60, own.join('\n'))
})
