/** Timers, and other ways to run a callback later. */
import type { Machine } from '../values/machine.ts'
import { addMembers, native, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'
import type { Binding } from '../values/scope.ts'
import { callback, runLoosely } from './jobs.ts'
import { host } from './process.ts'

export function timerGlobals(m: Machine): Readonly<Record<string, NativeValue>> {
  const active = new WeakMap<Value, Binding>()
  const start = (name: string, isImmediate: boolean): NativeValue =>
    native(name, ({ args: [run = undefinedValue, ...rest], at }) => {
      const known = isImmediate ? primitive(0.5, at) : m.known(rest.shift() ?? undefinedValue)
      const delay = known.kind === 'primitive' ? Number(known.value) : NaN
      const once = callback(m, [run, ...rest], at)
      const job = name === 'setInterval' ? { ...once, run: () => repeat(once.run, at) } : once
      const isActive = m.jobs.addTimer(job, isImmediate ? 0.5 : delay >= 1 ? Math.trunc(delay) : 1)
      const timer = host('timer', {})
      active.set(timer, isActive)
      for (const one of ['ref', 'unref', 'refresh'])
        addMembers(timer, { [one]: native(one, () => timer) })
      return timer
    })
  /** How often an interval is over before something else happens isn't known. */
  const repeat = (run: () => void, at: Node): void =>
    runLoosely(m, unknown('it is written in an interval', at), run, at)
  const stop = native('clearTimeout', ({ args: [timer = undefinedValue], at }) => {
    const isActive = active.get(timer)
    if (isActive !== undefined) m.journal.setBinding(isActive, primitive(false, at))
    return undefinedValue
  })
  return {
    setTimeout: start('setTimeout', false),
    setInterval: start('setInterval', false),
    setImmediate: start('setImmediate', true),
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
    queueMicrotask: native('queueMicrotask', ({ args, at }) => {
      m.jobs.add(callback(m, args, at))
      return undefinedValue
    }),
  }
}
