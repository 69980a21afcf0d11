/** Random set-up code that takes its time builds with the boot and starts, or is refused. `1-scan/programs-in-time.test.ts` has no boot. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import type { Program } from '../support/random-programs.ts'
import { imports, programInTime, toolPackage } from '../support/programs-in-time.ts'
import { runs, runsAll } from '../support/runs.ts'
import { createWorkshop } from '../support/workshop.ts'

/** How many programs are one application. */
const BATCH = 50

test('programs in time build and start, and few are refused', async (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'node_modules/tool/package.json': { name: 'tool', type: 'module', main: 'index.js' },
    'node_modules/tool/index.js': toolPackage,
    'start.js': `import { build } from './app.js'
const app = await build()
const answers = []
for (let i = 0; app.hasRoute({ method: 'POST', url: '/' + i }); i++) {
  const answer = await app.inject({ method: 'POST', url: '/' + i, payload: { value: 'another' } })
  answers.push(answer.statusCode)
}
console.log(JSON.stringify(answers))
process.exit()
`,
  })
  const thread = new Worker(new URL('../support/run-in-time.js', import.meta.url), {
    workerData: join(shop.folder, 'node_modules/tool/index.js'),
  })
  t.after(() => thread.terminate())
  const { numRuns, seed } = runs(runsAll ? 400 : 100)
  const ending: Program[] = []
  for (const program of fc.sample(programInTime, { numRuns, seed })) {
    thread.postMessage(program)
    const [value] = (await once(thread, 'message')) as [string | undefined]
    if (value !== undefined) ending.push(program)
  }
  let refused = 0
  for (let from = 0; from < ending.length; from += BATCH) {
    const batch = ending.slice(from, from + BATCH)
    shop.writeApp(applicationOf(batch))
    shop.succeed('build', 'app.js', '--allow-dynamic', '--boot-timeout', '120')
    const isKnown = batch.map((_, i) =>
      shop.manifest().routes.some((one) => one.url === `/${i}` && one.dynamic.length === 0),
    )
    refused += isKnown.filter((one) => !one).length
    const answers = shop.answer<number[]>('--import', './.framework/register.js', 'start.js')
    // A route that was left out answers 500.
    const failed = batch.filter((_, i) => answers[i] !== (isKnown[i] ? 400 : 500))
    assert.deepEqual(failed, [])
  }
  t.diagnostic(`${refused} of ${ending.length} are refused`)
  // On a busy machine, two boots may differ in the order of timers.
  const most = ending.length * 0.02 + (runsAll ? 0 : 2)
  assert.ok(refused <= most, `${refused} of ${ending.length} are refused`)
})

function applicationOf(programs: readonly Program[]): string {
  const routes = programs.map(
    ({ setUp, result }, i) => `{
const value = await (async () => { ${setUp}
;return ${result} })()
// What the program leaves running is none of the next one's business.
await sleep(100)
app.post('/${i}', { schema: { body: { type: 'object', properties: { value: { const: value } } } } }, async () => '')
}`,
  )
  return `${imports.join('\n')}
import framework from 'framework/5'
export async function build() {
const app = framework({ aot: { check: 'first-request' } })
${routes.join('\n')}
return app
}
`
}
