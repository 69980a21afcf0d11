/** Declarations beside the modules of artifacts and Workers, under TypeScript's strictest settings. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../support/root.ts'
import { createWorkshop } from '../../support/workshop.ts'

test('modules that are written have types', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'src/app.ts': `import framework from 'framework/5'
export class Counter {
  count(by: number): number {
    return by
  }
}
export const app = framework()
app.get('/', async () => 'ok')
export default app
`,
    'src/use.ts': `import framework from 'framework/5'
import index from '../.framework/index.mjs'
import artifact from '../.framework/worker.mjs'
import worker, { Counter } from '../out/index.js'
export const apps = [index, artifact].map((artifact) => framework({ aot: { artifact } }))
export const counted: number = new Counter().count(1)
// @ts-expect-error -- It takes a number.
new Counter().count('1')
export const answer: Promise<Response> = worker.fetch(new Request('http://localhost'))
// @ts-expect-error -- It's an artifact.
framework({ aot: { artifact: worker } })
`,
  })
  shop.succeed('build', 'src/app.ts')
  shop.succeed('deploy', 'src/app.ts', '--target', 'workerd', '--out', 'out')
  const options = '--noEmit --strict --target es2022 --module nodenext --types node'.split(' ')
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...options,
      '--typeRoots',
      join(root, 'node_modules/@types'),
      'src/use.ts',
    ],
    { cwd: shop.folder, encoding: 'utf8' },
  )
  assert.equal(stdout, '')
})
