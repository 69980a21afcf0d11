/** An application may import modules that aren't installed where it's deployed, such as those of its tests. As on Node, `import()` is rejected when it runs. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DeployResult } from '../../../compiler/deploy/index.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { startElsewhere } from '../../support/start-elsewhere.ts'
import type { Server } from '../../support/start-server.ts'
import { createWorkshop } from '../../support/workshop.ts'

/** The functions import a missing module in different ways. Each one has the code of the error that Node throws. */
const functions: Readonly<Record<string, readonly [code: string, error: string]>> = {
  'in a branch': [
    `async () => { if (process.env.ABSENT !== 'yes') return (await import('absent-mock')).mock() }`,
    'ERR_MODULE_NOT_FOUND',
  ],
  'in a try': [
    `async () => { try { return await import('absent-tracing') } catch (error) { throw error } }`,
    'ERR_MODULE_NOT_FOUND',
  ],
  'as a promise': [
    `() => import('@absent/scoped/part').catch((error) => Promise.reject(error))`,
    'ERR_MODULE_NOT_FOUND',
  ],
  'with two handlers': [
    `() => import('absent-handled').then((found) => found, (error) => Promise.reject(error))`,
    'ERR_MODULE_NOT_FOUND',
  ],
  'a template': [
    'async () => process.env.ABSENT || import(`absent-template`)',
    'ERR_MODULE_NOT_FOUND',
  ],
  'a file': [
    `async () => (process.env.ABSENT ? 1 : import('./generated/absent.js'))`,
    'ERR_MODULE_NOT_FOUND',
  ],
  required: [`async () => require('absent-required')`, 'MODULE_NOT_FOUND'],
}

describe('a missing module', () => {
  const ways = Object.values(functions)
  const shop = createWorkshop({ after }, 'cli/empty')
  const elsewhere = temporaryFolder({ after })
  shop.writeApp(`import { createRequire } from 'node:module'
import framework from 'framework/5'
const require = createRequire(import.meta.url)
export default function shop() {
  const app = framework()
  const codeOf = (load) => load().then(() => 'found', (error) => error.code)
  ${ways.map(([code], i) => `app.get('/${i}', async () => codeOf(${code}))`).join('\n  ')}
  return app
}
`)
  let server: Server
  let deployed: DeployResult

  before(async () => {
    ;({ deployed, server } = await startElsewhere(shop.folder, elsewhere))
  })
  after(() => server.stop())

  Object.entries(functions).forEach(([name, [, error]], i) => {
    test(`that code imports ${name} rejects the import`, async () => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/${i}`)
      assert.equal(await answer.text(), error)
    })
  })

  test('is a warning at the place of the import', () => {
    const found = deployed.warnings.filter(({ code }) => code === 'AOT_IMPORT_NOT_FOUND')
    const names = found.map(({ message }) => /"([^"]+)"/.exec(message)?.[1])
    const imported = ways.map(([code]) => /import\(['`]([^'`]+)/.exec(code)?.[1])
    assert.deepEqual(
      names,
      imported.filter((name) => name !== undefined),
    )
    for (const { at } of found) assert.equal(at.file, 'app.js')
  })

  for (const statement of [
    `import 'absent-needed'`,
    `await import('absent-needed')`,
    `export const load = async () => (await import('absent-needed')).default`,
    `(async () => { await import('absent-needed') })().catch(() => process.exit(1))`,
    `Promise.resolve().then(() => import('absent-needed')).catch(console.error)`,
  ])
    test(`ends the deployment unless the code does without it: ${statement}`, () => {
      shop.write('needs.js', shop.read('app.js').replace('\n', `\n${statement}\n`))
      assert.match(
        shop.fail('deploy', 'needs.js', '--target', 'node', '--out', 'other'),
        /needs\.js:2:\d+ {2}AOT_IMPORT_NOT_FOUND[^]*"absent-needed"/,
      )
    })
})
