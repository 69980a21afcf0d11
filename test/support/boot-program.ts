/** Generates random programs of plugins, callbacks and lifecycle events, as data. `boot-run.ts` runs them. */
import fc from 'fast-check'

/** When something asynchronous continues. */
export type Delay = 'sync' | 'micro' | 'tick' | 'immediate'

/** A callback of `after`, `ready` or `onClose`. */
export interface CallbackSpec {
  readonly arity: 0 | 1 | 2 | 3
  readonly delay: Delay
  readonly isAsync: boolean
  readonly fails: boolean
  /** Passes on the error that it received. */
  readonly forwards: boolean
  readonly steps: readonly Step[]
}

export interface PluginSpec {
  readonly style: 'callback' | 'async' | 'returnsInstance'
  readonly form: 'function' | 'module' | 'promise' | 'promiseOfModule'
  readonly isWrapped: boolean
  readonly options: 'none' | 'object' | 'function'
  readonly delay: Delay
  readonly fails: boolean
  readonly overrideFails: boolean
  readonly callsDoneTwice: boolean
  readonly steps: readonly Step[]
}

export type Step =
  /** `waits`: awaits the registration. */
  | { readonly kind: 'register'; readonly plugin: PluginSpec; readonly waits: boolean }
  | { readonly kind: 'after' | 'ready' | 'onClose'; readonly callback: CallbackSpec }
  /** `thenable`: logs whether the instance has a `then`. */
  | { readonly kind: 'afterPromise' | 'readyPromise' | 'thenable' }
  | { readonly kind: 'pause'; readonly delay: Delay }
  | {
      readonly kind: 'event'
      readonly event: 'preReady' | 'start' | 'close'
      /** Only `preReady` listeners throw. */
      readonly fails: boolean
    }
  /** Logs a line after the delay, which shows the order of turns. */
  | { readonly kind: 'noise'; readonly delay: Delay }

export interface Program {
  readonly steps: readonly Step[]
  readonly isAsync: boolean
  readonly ready: 'callback' | 'promise' | 'none'
  readonly closes: readonly ('callback' | 'promise')[]
  readonly readyAgain: boolean
}

const delay = fc.constantFrom<Delay>('sync', 'micro', 'tick', 'immediate')
/** True for one of the numbers from 0 to `most`. */
const rarely = (most: number): fc.Arbitrary<boolean> =>
  fc.integer({ min: 0, max: most }).map((n) => n === most)

const { step } = fc.letrec<{
  step: Step
  steps: Step[]
  plugin: PluginSpec
  callback: CallbackSpec
}>((tie) => ({
  steps: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constant<Step[]>([]),
    fc.array(tie('step'), { maxLength: 4 }),
  ),
  step: fc.oneof(
    { depthSize: 'medium' },
    fc.record({ kind: fc.constant('noise' as const), delay }),
    fc.record({ kind: fc.constant('pause' as const), delay }),
    fc.record({ kind: fc.constantFrom('afterPromise' as const, 'readyPromise', 'thenable') }),
    fc.record({
      kind: fc.constant('event' as const),
      event: fc.constantFrom('preReady', 'start', 'close'),
      fails: rarely(9),
    }),
    fc.record({
      kind: fc.constantFrom('after' as const, 'ready', 'onClose'),
      callback: tie('callback'),
    }),
    fc.record({
      kind: fc.constant('register' as const),
      plugin: tie('plugin'),
      waits: fc.boolean(),
    }),
  ) as fc.Arbitrary<Step>,
  plugin: fc.record({
    style: fc.constantFrom('callback', 'async', 'callback', 'async', 'returnsInstance'),
    form: fc.constantFrom(
      'function',
      'function',
      'function',
      'module',
      'promise',
      'promiseOfModule',
    ),
    isWrapped: fc.boolean(),
    options: fc.constantFrom('none', 'object', 'function'),
    delay,
    fails: rarely(5),
    overrideFails: rarely(15),
    callsDoneTwice: rarely(9),
    steps: tie('steps'),
  }) as fc.Arbitrary<PluginSpec>,
  callback: fc.record({
    arity: fc.constantFrom(0, 1, 2, 3),
    delay,
    isAsync: fc.boolean(),
    fails: rarely(5),
    forwards: fc.boolean(),
    steps: tie('steps'),
  }) as fc.Arbitrary<CallbackSpec>,
}))

/** Random applications, small enough to read when shrunk. */
export const programs: fc.Arbitrary<Program> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  isAsync: fc.boolean(),
  ready: fc.constantFrom('callback', 'promise', 'none'),
  closes: fc.array(fc.constantFrom('callback', 'promise'), { maxLength: 2 }),
  readyAgain: fc.boolean(),
})
