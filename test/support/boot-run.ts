/** Runs random programs of `boot-program.ts` on an engine, and logs what happens. */
import type { CallbackSpec, Delay, PluginSpec, Program, Step } from './boot-program.ts'

type Done = (error?: unknown) => void
type Fn = (...args: never[]) => unknown

/** An instance as both engines expose it. */
export interface Instance {
  path: string
  register(plugin: unknown, options?: unknown): Instance
  after(): Promise<void>
  after(callback: Fn): Instance
  ready(): Promise<Instance>
  ready(callback: Fn): void
  onClose(callback: Fn): Instance
  close(): Promise<void>
  close(callback: Fn): Instance
}

export type Override = (parent: Instance, plugin: object, options: unknown) => Instance

export interface Engine {
  root: Instance
  once(event: string, listener: () => void): void
  prettyPrint(): string
}

const kWrapped = Symbol('wrapped')
const kOverrideFails = Symbol('overrideFails')

/** Creates children as encapsulation does: by prototype, unless the plugin is wrapped. */
export const override: Override = (parent, plugin, options) => {
  const { name } = plugin as Function
  if (kOverrideFails in plugin) throw new Error(`override ${name}`)
  if (kWrapped in plugin) return parent
  const child = Object.create(parent) as Instance
  child.path = `${parent.path}>${name}:${typeof options}`
  return child
}

/** Runs the program and returns everything that happened, in order. */
export async function run(program: Program, create: () => Engine): Promise<string[]> {
  const log: string[] = []
  const engine = create()
  const { root } = engine
  // From then on, avvio's `ready` throws an internal ReferenceError if it's called without a callback.
  let isLoaded = false
  engine.once('preReady', () => {
    isLoaded = true
  })
  const say = (text: string): void => void log.push(text)
  const outcome = (name: string, promise: Promise<unknown>): void => {
    promise.then(
      (value) => say(`${name} resolved ${describe(value)}`),
      (error: unknown) => say(`${name} rejected ${describe(error)}`),
    )
  }

  const main = async (): Promise<void> => {
    if (program.isAsync) await runAsync(root, program.steps, '')
    else runSync(root, program.steps, '')
    attempt('ready', () => {
      if (program.ready === 'callback') root.ready(tell('ready') as Fn)
      if (program.ready === 'promise' && !isLoaded) outcome('ready', root.ready())
    })
    for (const [i, how] of program.closes.entries()) {
      attempt(`close${i}`, () => {
        if (how === 'callback') root.close(tell(`close${i}`) as Fn)
        else outcome(`close${i}`, root.close())
      })
    }
    if (!program.readyAgain) return
    await untilQuiet(log, 10)
    attempt('again', () => root.ready(tell('again') as Fn))
  }
  outcome('main', main())
  await untilQuiet(log, 25)
  // avvio finds parents by name, and loses them when an error unloads them early.
  if (!/ails":true/.test(JSON.stringify(program)))
    say(engine.prettyPrint().replaceAll(/-?\d+ ms/g, 'N ms'))
  return log

  function tell(name: string): (error: unknown, done: Done) => void {
    return (error, done) => {
      say(`${name} called ${describe(error)}`)
      done()
    }
  }

  function attempt(name: string, action: () => unknown): unknown {
    try {
      return action()
    } catch (error) {
      say(`${name} threw ${describe(error)}`)
      return undefined
    }
  }

  function runSync(instance: Instance, steps: readonly Step[], name: string): void {
    for (const [i, step] of steps.entries()) {
      const at = `${name}.${i}`
      const result = attempt(at, () => take(instance, step, at))
      if (result !== undefined) outcome(at, Promise.resolve(result))
    }
  }

  async function runAsync(instance: Instance, steps: readonly Step[], name: string): Promise<void> {
    for (const [i, step] of steps.entries()) {
      const at = `${name}.${i}`
      const result = attempt(at, () => take(instance, step, at))
      // A plugin that waits for `ready` waits for itself.
      if (step.kind === 'readyPromise') outcome(at, Promise.resolve(result))
      else if (result !== undefined) say(`${at} got ${describe(await result)}`)
      if (step.kind === 'pause') await pause(step.delay)
    }
  }

  /** Takes a step. Returns what can be awaited. */
  function take(instance: Instance, step: Step, name: string): unknown {
    switch (step.kind) {
      case 'register': {
        const plugin = makePlugin(step.plugin, name)
        const options = { none: undefined, object: { name }, function: optionsFor(name) }
        const result = instance.register(plugin, options[step.plugin.options])
        return step.waits ? result : undefined
      }
      case 'after':
      case 'ready':
      case 'onClose':
        instance[step.kind](makeCallback(step.callback, name, step.kind) as Fn)
        return undefined
      case 'afterPromise':
        return instance.after()
      case 'readyPromise':
        return isLoaded ? undefined : instance.ready()
      case 'thenable':
        say(`${name} then is ${typeof (instance as { then?: unknown }).then}`)
        return undefined
      case 'event':
        engine.once(step.event, () => {
          say(`${name} event ${step.event}`)
          if (step.fails && step.event === 'preReady') throw new Error(name)
        })
        return undefined
      case 'noise':
        soon(step.delay, () => say(`${name} noise ${step.delay}`))
        return undefined
      case 'pause':
        return undefined
    }
  }

  function optionsFor(name: string): (parent: Instance) => unknown {
    return (parent) => ({ name: `${name} of ${parent.path}` })
  }

  function makePlugin(spec: PluginSpec, name: string): unknown {
    const failure = spec.fails ? new Error(name) : undefined
    const functions: Record<PluginSpec['style'], Function> = {
      callback: (instance: Instance, options: unknown, done: Done) => {
        say(`${name} starts ${instance.path} ${JSON.stringify(options)}`)
        runSync(instance, spec.steps, name)
        soon(spec.delay, () => {
          say(`${name} ends`)
          done(failure)
          if (spec.callsDoneTwice) done()
        })
      },
      async: async (instance: Instance, options: unknown) => {
        say(`${name} starts ${instance.path} ${JSON.stringify(options)}`)
        await runAsync(instance, spec.steps, name)
        await pause(spec.delay)
        say(`${name} ends`)
        if (failure) throw failure
      },
      returnsInstance: (instance: Instance) => {
        say(`${name} starts`)
        runSync(instance, spec.steps, name)
        return instance
      },
    }
    const plugin = functions[spec.style]
    Object.defineProperty(plugin, 'name', { value: name })
    if (spec.isWrapped) Object.assign(plugin, { [kWrapped]: true })
    if (spec.overrideFails) Object.assign(plugin, { [kOverrideFails]: true })
    switch (spec.form) {
      case 'function':
        return plugin
      case 'module':
        return { default: plugin }
      case 'promise':
        return Promise.resolve(plugin)
      case 'promiseOfModule':
        return Promise.resolve({ default: plugin })
    }
  }

  function makeCallback(spec: CallbackSpec, name: string, kind: string): unknown {
    const failure = spec.fails ? new Error(name) : undefined
    const begin = (instance: Instance, received: unknown): void => {
      say(`${name} ${kind} received ${describe(received)}`)
      runSync(instance, spec.steps, name)
    }
    const finish = (received: unknown, done: Done): void => {
      soon(spec.delay, () => {
        say(`${name} ${kind} ends`)
        done(failure ?? (spec.forwards ? received : undefined))
      })
    }
    const settle = (received: unknown): unknown => {
      if (!spec.isAsync) return undefined
      return pause(spec.delay).then(() => {
        say(`${name} ${kind} ends`)
        if (failure) throw failure
        if (spec.forwards && received instanceof Error) throw received
      })
    }
    if (kind === 'onClose') {
      const byArity = [
        () => (begin(root, 'nothing'), settle(undefined)),
        (instance: Instance) => (begin(instance, instance.path), settle(undefined)),
        (instance: Instance, done: Done) => (
          begin(instance, instance.path),
          finish(undefined, done)
        ),
      ]
      return byArity[Math.min(spec.arity, 2)]
    }
    const byArity = [
      () => (begin(root, 'nothing'), settle(undefined)),
      (error: unknown) => (begin(root, error), settle(error)),
      (error: unknown, done: Done) => (begin(root, error), finish(error, done)),
      (error: unknown, instance: Instance, done: Done) => (
        begin(instance, error),
        finish(error, done)
      ),
    ]
    return byArity[spec.arity]
  }
}

function describe(value: unknown): string {
  if (value instanceof Error) return `error ${value.message}`
  if (typeof value === 'object' && value !== null && 'path' in value) return String(value.path)
  return String(value)
}

function soon(delay: Delay, action: () => void): void {
  if (delay === 'sync') action()
  else if (delay === 'micro') queueMicrotask(action)
  else if (delay === 'tick') process.nextTick(action)
  else setImmediate(action)
}

async function pause(delay: Delay): Promise<void> {
  if (delay !== 'sync') await new Promise<void>((resolve) => soon(delay, resolve))
}

/** Resolves when nothing has been logged for `turns` turns of the event loop. */
async function untilQuiet(log: readonly string[], turns: number): Promise<void> {
  let length = -1
  for (let quiet = 0; quiet < turns; quiet++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (log.length !== length) quiet = 0
    length = log.length
  }
}
