/** Records which hooks the contexts and the routes of a booting application have. */
import { requestHooks } from '../../model/request-hooks.ts'
import type { RecordedHook } from '../recording.ts'
import type { Caller } from './places.ts'
import type { RouteOptions, Server } from './server.ts'

type Hooks = Readonly<Record<string, unknown>>

export class HookRecorder {
  /** The hooks that the routes of an instance get, in the order in which they run. */
  readonly #hooks = new Map<Server, RecordedHook[]>()
  readonly #children = new Map<Server, Server[]>()
  /** The packages whose `onRoute` hooks have given hooks to routes. */
  readonly #givers = new WeakMap<object, Map<unknown, string>>()

  of(server: Server): readonly RecordedHook[] {
    return this.#hooks.get(server) ?? []
  }

  /** Instances inherit the hooks that their parents have by then. */
  noteChild(parent: Server, child: Server): void {
    this.#hooks.set(child, [...this.of(parent)])
    this.#children.set(parent, [...(this.#children.get(parent) ?? []), child])
  }

  /** Notes a hook where Fastify adds it: after the plugins that were registered before, to children too. */
  noteHook(server: Server, hook: string, fn: unknown, caller: Caller): void {
    this.#hooks.set(server, [...this.of(server), { ...recorded(hook, fn), ...originOf(caller) }])
    for (const child of this.#children.get(server) ?? []) this.noteHook(child, hook, fn, caller)
  }

  /** Wraps an `onRoute` hook of a package, to know which hooks it gives to routes. */
  watchOnRoute(fn: unknown, { isOfPackage, package: name }: Caller): unknown {
    if (typeof fn !== 'function' || !isOfPackage || name === undefined) return fn
    const givers = this.#givers
    return function (this: unknown, options: RouteOptions): unknown {
      const before = new Set(functionsIn(options as unknown as Hooks).map(([, one]) => one))
      const result: unknown = Reflect.apply(fn, this, [options])
      const known = givers.get(options) ?? new Map<unknown, string>()
      for (const [, one] of functionsIn(options as unknown as Hooks))
        if (!before.has(one)) known.set(one, name)
      givers.set(options, known)
      return result
    }
  }

  /** Returns the hooks in the options of a route. */
  ofRoute(options: RouteOptions): readonly RecordedHook[] {
    const known = this.#givers.get(options)
    return functionsIn(options as unknown as Hooks)
      .map(([hook, fn]) => ({ ...recorded(hook, fn), package: known?.get(fn) }))
      .filter(({ name }) => name !== ofTwins)
  }
}

/** The hook that Fastify itself gives to HEAD routes. */
const ofTwins = 'headRouteOnSendHandler'

function functionsIn(options: Hooks): (readonly [hook: string, fn: unknown])[] {
  return requestHooks.flatMap((hook) => {
    const all = [options[hook]].flat()
    return all.flatMap((fn) => (typeof fn === 'function' ? [[hook, fn] as const] : []))
  })
}

function recorded(hook: string, fn: unknown): Pick<RecordedHook, 'hook' | 'name'> {
  return { hook, name: typeof fn === 'function' ? fn.name.replace(/^(?:bound )+/, '') : '' }
}

function originOf({ at, isOfPackage, package: name }: Caller): Partial<RecordedHook> {
  return isOfPackage ? { package: name ?? '' } : { at }
}
