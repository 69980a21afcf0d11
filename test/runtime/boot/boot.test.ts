import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { Boot } from '../../../runtime/boot/index.ts'
import { programs, type Program } from '../../support/boot-program.ts'
import { catchEscaped } from '../../support/lifecycle-run.ts'
import { turns } from '../../support/turns.ts'
import { override, run, type Engine, type Instance, type Override } from '../../support/boot-run.ts'
import { runs } from '../../support/runs.ts'

interface Avvio extends Engine {
  override: Override
}

const require = createRequire(createRequire(import.meta.url).resolve('fastify'))
const avvio = require('avvio') as (server: object, options: object) => Avvio

function createOracle(timeout = 0): Engine {
  const root = { path: 'root' } as Instance
  const boot = avvio(root, { autostart: false, timeout, expose: { use: 'register' } })
  boot.override = override
  return {
    root,
    once: (event, listener) => boot.once(event, listener),
    prettyPrint: () => boot.prettyPrint(),
  }
}

function createOurs(timeout = 0): Engine {
  const root = { path: 'root' } as Instance
  const boot = new Boot<Instance>(root, { timeout, override })
  boot.expose(root)
  return {
    root,
    once: (event, listener) => boot.once(event as 'start', listener),
    prettyPrint: () => boot.prettyPrint(),
  }
}

/** Where avvio fails by an error in its own code, the boot queue has the expected error or instance. */
const accidents: [RegExp, string][] = [
  [/error .*reading 'loaded'\)/, 'error Root plugin has already booted'],
  [/resolved undefined/, 'resolved root'],
  [/threw error Impossible to load '(.*)' plugin because.*/, 'threw error $1'],
]

function withoutAccidents(line: string): string {
  return accidents.reduce((text, [from, to]) => text.replace(from, to), line)
}

test('any tree of plugins boots and closes in the same order as on avvio', async (t) => {
  // Some programs leave an unhandled error, which is logged and is the same on both.
  const unhandled: string[] = []
  const escaped = catchEscaped(t)
  escaped.log = (entry) => unhandled.push(entry)
  const logOf = async (program: Program, create: () => Engine) => {
    const log = await run(program, create)
    return [...log, ...unhandled.splice(0)].map(withoutAccidents)
  }
  const property = fc.asyncProperty(programs, async (program) => {
    const actual = await logOf(program, () => createOurs())
    assert.deepEqual(actual, await logOf(program, () => createOracle()))
  })
  await fc.assert(property, runs(2000))
})

const pending = (): Function =>
  function pending(_instance: Instance, _options: unknown, _done: () => void) {}

/** Applications in which something never ends, and the error of `ready` about it. */
const hanging: Record<string, (root: Instance) => void> = {
  'a plugin with a callback': (root) => root.register(pending()),
  'a plugin with a promise': (root) => root.register(() => new Promise(() => {})),
  'a plugin inside one that waits for it': (root) =>
    root.register(async function outer(instance: Instance) {
      await instance.register(pending())
    }),
  'a plugin inside one that is done': (root) =>
    root.register(function outer(instance: Instance, _options: unknown, done: () => void) {
      instance.register(pending())
      setTimeout(done, 10)
    }),
  'a plugin named by its options': (root) => root.register(pending(), { name: 'mine' }),
  'a plugin named by its metadata': (root) =>
    root.register(Object.assign(pending(), { [Symbol.for('plugin-meta')]: { name: 'meta' } })),
}

/** Lets the test control timers and `Date`; the returned function advances the time. */
function stopClock(t: TestContext): (ms: number) => Promise<void> {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  return async (ms) => {
    for (let passed = 0; passed < ms; passed++) {
      // Enough for everything that needs no timer.
      await turns(3)
      t.mock.timers.tick(1)
    }
    await turns(3)
  }
}

async function readyError(
  engine: Engine,
  build: (root: Instance) => void,
  pass: () => Promise<void>,
): Promise<unknown> {
  build(engine.root)
  let seen: unknown = 'nothing'
  engine.root.ready(((error: (Error & { fn: Function }) | null, done: () => void) => {
    seen = error && { message: error.message, fn: error.fn.name }
    done()
  }) as () => void)
  await pass()
  return seen
}

for (const [what, build] of Object.entries(hanging)) {
  test(`${what} that never ends is reported as by avvio`, async (t) => {
    const pass = stopClock(t)
    const inTime = await readyError(createOurs(60), build, () => pass(50))
    assert.equal(inTime, 'nothing')
    const actual = await readyError(createOurs(60), build, () => pass(60))
    assert.deepEqual(actual, await readyError(createOracle(60), build, () => pass(60)))
  })
}

test('an error names the inner plugin that never ends, also if a busy machine has called it late', async (t) => {
  const pass = stopClock(t)
  const build = (root: Instance): void => {
    root.register(async function outer(instance: Instance) {
      const registered = instance.register(function inner(
        _app: unknown,
        _options: unknown,
        _done: unknown,
      ) {})
      t.mock.timers.tick(20)
      await registered
    })
  }
  const error = (await readyError(createOurs(60), build, () => pass(60))) as { fn: string }
  assert.equal(error.fn, 'inner')
})

// avvio sets two timers of the same length for one; which of them fires first is known on a real clock only.
test('an after callback that never ends is reported', async (t) => {
  const pass = stopClock(t)
  const build = (root: Instance): void => {
    root.after(function later(_error: unknown, _done: () => void) {})
  }
  const { message } = (await readyError(createOurs(60), build, () => pass(60))) as Error
  assert.match(message, /^Plugin did not start in time: 'bound _after'/)
})

test('a ready callback that never ends gives the next one an error', async (t) => {
  const pass = stopClock(t)
  const { root } = createOurs(30)
  root.ready(function slow(_error: unknown, _done: () => void) {} as () => void)
  let error: unknown = 'nothing'
  root.ready(((reason: unknown, done: () => void) => {
    error = reason
    done()
  }) as () => void)
  await pass(29)
  assert.equal(error, 'nothing')
  await pass(1)
  assert.equal((error as unknown as { code: string }).code, 'AVV_ERR_READY_TIMEOUT')
  assert.match(String(error), /'slow'/)
})

test('a plugin that takes long, but not too long, is not an error', async (t) => {
  const pass = stopClock(t)
  const { root } = createOurs(100)
  root.register(async (instance: Instance) => {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve, 20))
    instance.register((_inner: Instance, _options: unknown, done: () => void) =>
      setTimeout(done, 20),
    )
  })
  let outcome: unknown = 'nothing'
  root.ready().then(
    (value) => (outcome = value),
    (error: unknown) => (outcome = error),
  )
  await pass(79)
  assert.equal(outcome, 'nothing')
  await pass(1)
  assert.equal(outcome, root)
})

test('a plugin that spends its time before it waits is an error, one that is done by then is not', async (t) => {
  const pass = stopClock(t)
  const spend = (): void => t.mock.timers.setTime(Date.now() + 40)
  const build = (root: Instance): void => {
    root.register(async function punctual() {
      spend()
      await Promise.resolve()
    })
    root.register(function late(_instance: Instance, _options: unknown, _done: () => void) {
      spend()
    })
  }
  const error = await readyError(createOurs(30), build, () => pass(0))
  assert.match((error as Error).message, /'late'/)
})

test('boot sets no timer unless a plugin waits for I/O', async (t) => {
  const { root } = createOurs(10_000)
  const { setTimeout } = globalThis
  let timers = 0
  globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) => {
    timers++
    return setTimeout(...args)
  }) as typeof setTimeout
  t.after(() => {
    globalThis.setTimeout = setTimeout
  })
  const plugin = async (instance: Instance): Promise<void> => {
    for (let i = 0; i < 20; i++) await Promise.resolve()
    await instance.register(async (inner: Instance) => {
      await inner.register(async () => {})
      await inner.after()
    })
    await new Promise((resolve) => process.nextTick(resolve))
  }
  for (let i = 0; i < 50; i++) root.register(plugin)
  root.after(((_error: unknown, done: () => void) => queueMicrotask(done)) as () => void)
  await root.ready()
  assert.equal(timers, 0)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(timers, 0)
})

test("values that can't be registered or called back are refused as by avvio", () => {
  const attempts: ((root: Instance) => unknown)[] = [
    (root) => root.register(null),
    (root) => root.register(undefined),
    (root) => root.register([]),
    (root) => root.register({}),
    (root) => root.register('text'),
    (root) => root.ready({} as () => void),
    (root) => root.onClose('text' as unknown as () => void),
    (root) => root.close(1 as unknown as () => void),
  ]
  const refusal = ({ root }: Engine, attempt: (root: Instance) => unknown): unknown => {
    try {
      return attempt(root)
    } catch (error) {
      const { code, message, name } = error as Error & { code: string }
      return { code, message, name }
    }
  }
  for (const attempt of attempts) {
    assert.deepEqual(refusal(createOurs(), attempt), refusal(createOracle(), attempt))
  }
})

test('the plugin tree is printed as by avvio', async () => {
  const print = async (engine: Engine): Promise<string> => {
    const { root } = engine
    root.register(async function first(instance: Instance) {
      instance.register(async function second(inner: Instance) {
        inner.register(async () => {
          // The name of a function without one is the beginning of its text.
        })
      })
      instance.after((() => {}) as () => void)
    })
    root.register(async function third() {})
    await root.ready()
    return engine.prettyPrint().replaceAll(/\d+ ms/g, 'N ms')
  }
  assert.equal(await print(createOurs()), await print(createOracle()))
})

test('the tree shows how long each plugin took, and -1 while it loads', async (t) => {
  const pass = stopClock(t)
  const { root, prettyPrint } = createOurs()
  root.register(async function slow() {
    await new Promise((resolve) => setTimeout(resolve, 15))
  })
  assert.equal(prettyPrint(), 'root -1 ms\n')
  const ready = root.ready()
  await pass(15)
  await ready
  assert.match(prettyPrint(), /^root 1\d ms\n└── slow 15 ms\n$/)
})
