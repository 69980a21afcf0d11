/** Deployments to Bun, Deno and workerd answer exact bytes as the deployment to Node does: the same route, hooks, status and body. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWorkshop } from '../support/workshop.ts'
import { getRaw, headerOf, sendRaw, takeAnswer, Wire } from '../support/wire.ts'
import { allowed, type Instead } from './scenario-differences.ts'
import { scenarios } from './scenarios.ts'
import { serve, type Served } from './servers.ts'

const shop = createWorkshop({ after }, 'deploy/scenarios')

/** How many connections are open at a time. */
const WIDTH = 24

/** The entry that imports each line. */
const entries = { framework: 'app.js', 'framework/5': 'app-5.js' } as const

function start(target: string, line: keyof typeof entries): Promise<Served> {
  const out = `${target}-${entries[line]}`
  shop.succeed('deploy', entries[line], '--target', target, '--out', out)
  return (serve[target] as (folder: string) => Promise<Served>)(join(shop.folder, out))
}

/** Status, type and body of an answer. Those that aren't from the application are `refused`: each server words them in another way. */
async function outcomeOf(bytes: string, { port }: Served): Promise<string> {
  const method = bytes.slice(0, bytes.indexOf(' '))
  const found = takeAnswer(await sendRaw(port, bytes), method, true)
  if (found === undefined || headerOf(found.answer, 'x-served') === undefined) return 'refused'
  const { status, body } = found.answer
  const type = headerOf(found.answer, 'content-type')
  return `${status} ${type} ${body.replace(/localhost:\d+/, 'localhost')}`
}

/** Sends all scenarios, each on a connection of its own. */
async function outcomesOf(served: Served): Promise<readonly string[]> {
  const outcomes: string[] = []
  const left = scenarios.entries()
  const work = async (): Promise<void> => {
    for (const [index, { bytes }] of left) outcomes[index] = await outcomeOf(bytes, served)
  }
  await Promise.all(Array.from({ length: WIDTH }, work))
  return outcomes
}

async function isOneOf(
  all: readonly Instead[],
  outcome: string,
  bytes: string,
  node: Served,
): Promise<boolean> {
  for (const one of all) {
    if (one === outcome) return true
    if (one instanceof RegExp && one.test(outcome)) return true
    if (typeof one === 'function' && (await outcomeOf(one(bytes), node)) === outcome) return true
  }
  return false
}

/** A client that leaves before the answer is no error. */
async function leavesNoTrace({ port, output }: Served): Promise<void> {
  const wire = new Wire(port)
  wire.get('/slow')
  await sleep(200)
  wire.destroy()
  await sleep(600)
  assert.doesNotMatch(output(), /Error|\n\s+at /)
}

/** Answers what no server can send. */
async function showsNoSource({ port }: Served): Promise<void> {
  const answer = await getRaw(port, '/informational')
  assert.match(answer, /^HTTP\/1\.1 500 /)
  assert.ok(answer.length < 500 && !answer.includes('.js'), answer)
}

function reachesRoutesAndGuards(outcomes: readonly string[]): void {
  assert.ok(scenarios.length >= 1000)
  for (const reached of [
    /^200 .*"\/ok"/,
    /"guard"/,
    /"raw"/,
    /"public"/,
    /^413/,
    /^415/,
    /^refused/,
  ])
    assert.ok(outcomes.filter((one) => reached.test(one)).length > 10, `${reached}`)
}

for (const line of ['framework', 'framework/5'] as const) {
  const node = await start('node', line)
  after(() => node.stop())
  const expected = await outcomesOf(node)
  reachesRoutesAndGuards(expected)

  for (const target of ['bun', 'deno', 'workerd'] as const) {
    test(`${target} answers as Node does with ${line}`, async (t) => {
      const served = await start(target, line)
      const actual = await outcomesOf(served)
      // workerd itself prints each.
      if (target !== 'workerd') await leavesNoTrace(served)
      await showsNoSource(served)
      await served.stop()
      const known = allowed[target].filter((one) => (one.line ?? line) === line)
      const unused = new Set(known)
      const wrong: object[] = []
      for (const [index, { kind, bytes }] of scenarios.entries()) {
        const [onNode, here] = [expected[index] as string, actual[index] as string]
        if (onNode === here) continue
        let isAllowed = false
        for (const one of known.filter(({ kinds }) => kinds.includes(kind))) {
          if (!(await isOneOf(one.instead, here, bytes, node))) continue
          unused.delete(one)
          isAllowed = true
        }
        if (!isAllowed) wrong.push({ kind, bytes, onNode, here })
      }
      t.diagnostic(`${scenarios.length} requests`)
      assert.deepEqual(wrong, [])
      assert.deepEqual([...unused], [])
    })
  }
}
