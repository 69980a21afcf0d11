/** The functions whose results, or what they open, belong to one process or one moment. */
import type { webcrypto } from 'node:crypto'
import type { FaultKind } from './building.ts'
import { building, fault, replace, watch, whenRead } from './building.ts'

/** By module: names of functions, and of classes. */
const functions: Readonly<Record<string, Readonly<Partial<Record<FaultKind, string>>>>> = {
  crypto: {
    random: 'randomBytes pseudoRandomBytes prng rng randomFill randomFillSync randomInt randomUUID',
    key: 'createSecretKey createPrivateKey createPublicKey generateKey generateKeySync generateKeyPair generateKeyPairSync createECDH createDiffieHellman getDiffieHellman X509Certificate',
  },
  net: { connection: 'connect createConnection createServer Socket Server Stream BlockList' },
  dns: {
    connection: 'lookup lookupService resolve resolve4 resolve6 resolveSrv resolveTxt Resolver',
  },
  dgram: { connection: 'createSocket Socket' },
  child_process: {
    connection: 'exec execFile execFileSync execSync fork spawn spawnSync',
  },
  worker_threads: { connection: 'Worker MessageChannel BroadcastChannel' },
  readline: { connection: 'createInterface' },
  perf_hooks: { native: 'PerformanceObserver monitorEventLoopDelay createHistogram' },
}

/** Classes of V8 and Node that no snapshot of Node 24 holds. */
const natives = ['MessageChannel', 'BroadcastChannel', 'URLPattern', 'FinalizationRegistry']

/** Watches a module that the application has asked for: none is loaded for it. */
export function watchModule(name: string, module: unknown): void {
  for (const [kind, names] of Object.entries(functions[name] ?? {})) {
    for (const one of names.split(' ')) {
      watch(module as object, one, () => fault(kind as FaultKind, `${name}.${one}()`))
    }
  }
}

export function watchCalls(): void {
  watch(Math, 'random', () => fault('random', 'Math.random()'))
  watch(globalThis, 'fetch', () => fault('connection', 'fetch()'))
  watchWebCrypto()
  watchTime()
  watchNatives()
  watchTimers()
  for (const name of ['on', 'addListener', 'once', 'prependListener']) {
    watch(process, name, ([event]) => {
      if (String(event).startsWith('SIG')) fault('native', `process.${name}('${String(event)}')`)
    })
  }
}

/** The global `crypto`, and what node:crypto calls `webcrypto`. */
function watchWebCrypto(): void {
  whenRead<webcrypto.Crypto>(globalThis, 'crypto', (crypto) => {
    const methods = Object.getPrototypeOf(crypto) as object
    for (const name of ['getRandomValues', 'randomUUID']) {
      watch(methods, name, () => fault('random', `crypto.${name}()`))
    }
    const subtle = Object.getPrototypeOf(crypto.subtle) as object
    for (const name of ['generateKey', 'importKey', 'deriveKey']) {
      watch(subtle, name, () => fault('key', `crypto.subtle.${name}()`))
    }
  })
}

function watchTime(): void {
  watch(Date, 'now', () => fault('time', 'Date.now()'))
  const original = Date
  const seen = (args: unknown[], what: string): void => {
    if (building.isOn && args.length === 0) fault('time', what)
  }
  replace(globalThis, 'Date', {
    value: new Proxy(original, {
      apply: (target, self, args) => (
        seen([], 'Date()'),
        Reflect.apply(target as never, self, args) as string
      ),
      construct: (target, args, newTarget) => (
        seen(args, 'new Date()'),
        Reflect.construct(target, args, newTarget) as Date
      ),
    }),
    writable: true,
  })
  whenRead<object>(globalThis, 'performance', (performance) => {
    watch(Object.getPrototypeOf(performance) as object, 'now', () =>
      fault('time', 'performance.now()'),
    )
  })
  for (const name of ['hrtime', 'uptime']) {
    watch(process, name, () => fault('time', `process.${name}()`))
  }
}

function watchNatives(): void {
  for (const name of natives) watch(globalThis, name, () => fault('native', `new ${name}()`))
  for (const name of Object.getOwnPropertyNames(Intl)) {
    if (/^[A-Z]/.test(name)) watch(Intl, name, () => fault('native', `Intl.${name}`))
  }
}

/** Of what Node loads when it is first read, nobody can be told who reads it. */
export function faultLoaded(): void {
  const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] }
  if (moduleLoadList.includes('NativeModule internal/deps/undici/undici')) {
    building.faults.push({
      kind: 'native',
      what: 'Headers, Request, Response or FormData',
      stack: '',
    })
  }
}

/** Those that wait, with the stacks of their making. */
const waiting = new Map<object, string>()

function watchTimers(): void {
  const timers = process.getBuiltinModule('node:timers')
  for (const object of [globalThis, timers]) {
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const original = object[name] as unknown as (...args: unknown[]) => object
      replace(object, name, {
        value: new Proxy(original, {
          apply(target, self, args: unknown[]) {
            const timer = Reflect.apply(target, self, args)
            if (building.isOn) waiting.set(timer, String(new Error(name).stack))
            return timer
          },
        }),
        writable: true,
        enumerable: true,
      })
    }
  }
}

/** A timer that waits when the snapshot is taken would never come to its end. */
export function faultTimers(): void {
  for (const [timer, stack] of waiting) {
    const { _destroyed: isDone } = timer as { _destroyed?: boolean }
    if (!isDone) building.faults.push({ kind: 'timer', what: stackTitle(stack), stack })
  }
  waiting.clear()
}

function stackTitle(stack: string): string {
  const [, name = 'setTimeout'] = /Error: (\w+)/.exec(stack) ?? []
  return `${name}()`
}
