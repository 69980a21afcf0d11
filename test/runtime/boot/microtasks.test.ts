/** The boot queue where ticks are microtasks, as in workerd: the replacement of ticks, and the tests of the queue with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { catchEscaped } from '../../support/lifecycle-run.ts'
import { runs } from '../../support/runs.ts'

const realTick = process.nextTick.bind(process)
Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Cloudflare-Workers' } })
const { nextTick } = await import('../../../runtime/platform/index.ts')

type Tick = (callback: () => void) => void

/** A callback, and the callbacks that it schedules. */
interface Action {
  readonly kind: 'tick' | 'microtask'
  readonly asksFor: readonly Action[]
}

const { actions } = fc.letrec<{ action: Action; actions: Action[] }>((tie) => ({
  action: fc.record({ kind: fc.constantFrom('tick', 'microtask'), asksFor: tie('actions') }),
  actions: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constant<Action[]>([]),
    fc.array(tie('action'), { minLength: 1, maxLength: 3 }),
  ),
}))

/** The names of the actions, in the order in which they run. */
async function orderOf(all: readonly Action[], tick: Tick): Promise<string[]> {
  const log: string[] = []
  const ask = (list: readonly Action[], parent: string): void => {
    for (const [i, { kind, asksFor }] of list.entries()) {
      const name = `${parent}.${i}`
      const run = (): void => {
        log.push(name)
        ask(asksFor, name)
      }
      if (kind === 'tick') tick(run)
      else queueMicrotask(run)
    }
  }
  // From a microtask, as modules are evaluated.
  await Promise.resolve()
  ask(all, '')
  await new Promise((resolve) => setImmediate(resolve))
  return log
}

test('ticks and microtasks run in the order of Node', () =>
  fc.assert(
    fc.asyncProperty(actions, async (all) => {
      assert.deepEqual(await orderOf(all, nextTick), await orderOf(all, realTick))
    }),
    runs(300),
  ))

test('a tick that throws keeps no other from running', async (t) => {
  const thrown: string[] = []
  const escaped = catchEscaped(t)
  escaped.log = (entry) => thrown.push(entry)
  const ran: number[] = []
  nextTick(() => {
    throw new RangeError('in a tick')
  })
  nextTick((n) => void ran.push(n), 1)
  await new Promise((resolve) => setImmediate(resolve))
  assert.match(String(thrown), /in a tick/)
  assert.deepEqual(ran, [1])
})

// Ticks of plugins come in the same order. Fewer cases, because all of them run on Node's own ticks as well.
process.env['RUNS'] ??= '200'
process.nextTick = nextTick as typeof process.nextTick
await import('./boot.test.ts')
