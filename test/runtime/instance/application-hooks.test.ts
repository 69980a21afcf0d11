/** Hooks of the application's lifecycle, in any tree of contexts, compared with the oracle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import fastify, { type FastifyInstance } from 'fastify'
import framework from 'framework'
import { describe } from '../../support/lifecycle-functions.ts'
import { catchEscaped } from '../../support/lifecycle-run.ts'
import { outcomeOf, turns } from '../../support/turns.ts'
import { runs } from '../../support/runs.ts'

type Factory = (options: object) => FastifyInstance
type Done = (error?: Error) => void
type Log = (entry: string) => void

const hookNames = ['onReady', 'onClose', 'preClose', 'onRegister', 'onRoute'] as const
const goesOn = ['callback', 'later', 'async'] as const
const fails = ['error', 'throw', 'reject'] as const
/** Mostly without failures. */
const end = fc.constantFrom(...goesOn, ...goesOn, ...goesOn, ...fails)
type End = (typeof goesOn | typeof fails)[number]

interface HookStep {
  readonly kind: 'hook'
  readonly name: (typeof hookNames)[number]
  readonly end: End
}

interface ContextStep {
  readonly kind: 'context'
  readonly isWrapped: boolean
  readonly end: End
  readonly steps: readonly Step[]
}

type Step = HookStep | ContextStep | { readonly kind: 'route' | 'after' }

const { steps } = fc.letrec<{ steps: readonly Step[]; context: ContextStep }>((tie) => ({
  steps: fc.array(
    fc.oneof(
      { maxDepth: 3 },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('hook' as const),
          name: fc.constantFrom(...hookNames),
          end,
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('route', 'after') }) },
      { weight: 3, arbitrary: tie('context') },
    ),
    { maxLength: 6 },
  ) as fc.Arbitrary<readonly Step[]>,
  context: fc.record({
    kind: fc.constant('context' as const),
    isWrapped: fc.boolean(),
    end,
    steps: tie('steps'),
  }),
}))

test('hooks of the application run in the same order, and fail in the same way', async (t) => {
  const escaped = catchEscaped(t)
  const observe = async (factory: unknown, program: readonly Step[]): Promise<string[]> => {
    const seen: string[] = []
    const log: Log = (entry) => void seen.push(entry)
    escaped.log = log
    // An application that never boots must not end later.
    const app = (factory as Factory)({ pluginTimeout: 0 })
    let next = 0
    attempt(log, 'root', () => declare(app, program, log, () => next++))
    log(await endOf(app.ready()))
    log(await endOf(app.inject('/route')))
    log(await endOf(app.close()))
    log(await endOf(app.close()))
    await turns(5)
    // Fastify 4.21 runs a `preClose` hook in the contexts below as well.
    const key = (entry: string): string => entry.replace(/^(preClose \w+) \[.*?\]/, '$1')
    return seen.filter(
      (entry, i) => key(entry) === entry || seen.findIndex((one) => key(one) === key(entry)) === i,
    )
  }
  const property = fc.asyncProperty(steps, async (program) => {
    assert.deepEqual(await observe(framework, program), await observe(fastify, program))
  })
  await fc.assert(property, runs(150))
})

async function endOf(promise: PromiseLike<unknown>): Promise<string> {
  const outcome = await outcomeOf(promise)
  return outcome.kind === 'error' ? `failed ${describe(outcome.error)}` : outcome.kind
}

function attempt(log: Log, name: string, action: () => void): void {
  try {
    action()
  } catch (error) {
    log(`${name} threw ${describe(error)}`)
  }
}

function declare(app: FastifyInstance, program: readonly Step[], log: Log, count: () => number) {
  for (const step of program) {
    const name = `${step.kind}${count()}`
    switch (step.kind) {
      case 'hook':
        attempt(log, name, () => void app.addHook(step.name as 'onReady', toHook(step, name, log)))
        break
      case 'route':
        attempt(log, name, () => void app.get(`/${name}`, async () => name))
        break
      case 'after':
        app.after((error) => log(`${name} outcomeOf ${describe(error)}`))
        break
      case 'context': {
        const plugin = toPlugin(step, name, log, count)
        if (step.isWrapped) Object.assign(plugin, { [Symbol.for('skip-override')]: true })
        app.register(plugin as never, { prefix: `/${name}` })
        break
      }
    }
  }
}

function toPlugin(step: ContextStep, name: string, log: Log, count: () => number): object {
  if (step.end === 'async' || step.end === 'reject') {
    return async (child: FastifyInstance) => {
      log(`${name} loads at [${child.prefix}]`)
      declare(child, step.steps, log, count)
      await Promise.resolve()
      if (step.end === 'reject') throw new Error(name)
    }
  }
  return (child: FastifyInstance, _options: unknown, done: Done) => {
    log(`${name} loads at [${child.prefix}]`)
    declare(child, step.steps, log, count)
    finish(step.end, name, done)
  }
}

/** Hooks that nothing waits for get no `done`. */
function toHook({ name: hook, end: how }: HookStep, name: string, log: Log): never {
  const enter = (self: unknown, shown: unknown): void => {
    log(`${hook} ${name} [${(self as FastifyInstance | undefined)?.prefix}] ${String(shown)}`)
  }
  if (hook === 'onRoute' || hook === 'onRegister') {
    return function (this: unknown, given: { url?: string; prefix?: string }) {
      // On Fastify `this` of onRegister is the boot queue.
      enter(hook === 'onRoute' ? this : undefined, given.url ?? given.prefix)
      if (how === 'throw') throw new Error(name)
    } as never
  }
  if (how === 'async' || how === 'reject') {
    return async function (this: unknown) {
      enter(this, how)
      await Promise.resolve()
      if (how === 'reject') throw new Error(name)
    } as never
  }
  return (
    hook === 'onClose'
      ? function (this: unknown, instance: FastifyInstance, done: Done) {
          enter(instance, how)
          finish(how, name, done)
        }
      : function (this: unknown, done: Done) {
          enter(this, how)
          finish(how, name, done)
        }
  ) as never
}

function finish(how: End, name: string, done: Done): void {
  if (how === 'throw') throw new Error(name)
  else if (how === 'later') setImmediate(done)
  else if (how === 'error') done(new Error(name))
  else done()
}
