/** Runs a program on any router with find-my-way's interface and records everything observable. */
import type { Constraints, RouterOptions } from '../../../runtime/router/index.ts'
import { type Program, type Step, lateStrategy, secretStrategy } from './programs.ts'

/** The part of the interface that programs use; both routers have it, their types differ. */
export interface AnyRouter {
  routes: readonly object[]
  on(method: unknown, path: string, opts: unknown, handler: unknown, store: unknown): unknown
  off(method: unknown, path: string, constraints?: Constraints): unknown
  find(method: string, url: string, constraints?: Constraints): Found | null
  findRoute(method: string, path: string, constraints?: Constraints): unknown
  hasRoute(method: string, path: string, constraints?: Constraints): boolean
  lookup(req: unknown, res: unknown, ctx?: unknown, done?: unknown): unknown
  prettyPrint(options?: object): string
  addConstraintStrategy(strategy: unknown): void
  hasConstraintStrategy(name: string): boolean
  reset(): void
}

interface Found {
  handler: (...args: unknown[]) => unknown
  store: unknown
  params: object
  searchParams?: unknown
}

export type MakeRouter = (options: RouterOptions) => AnyRouter

function handler(this: unknown, ...[, , params, store, query]: unknown[]): unknown {
  return { called: store, this: describeThis(this), params, query: { ...(query as object) } }
}

/** Without a context, `this` is the object that `find` returns. Its shape doesn't matter. */
function describeThis(self: unknown): unknown {
  return self !== null && typeof self === 'object' && 'handler' in self ? 'found' : self
}

/**
 * The result or the error of every step. Ends with the first route that cannot be registered: what a
 * failed registration leaves behind in the tree is not part of the semantics.
 */
export function run(make: MakeRouter, { options, steps }: Program): unknown[] {
  const router = make({
    ...options,
    constraints: { secret: secretStrategy() },
    defaultRoute: function (this: unknown) {
      return { called: 'default', this: this === router ? 'router' : this }
    },
    onBadUrl: (path) => ({ called: 'bad URL', path }),
  })
  const transcript: unknown[] = []
  for (const step of steps) {
    try {
      transcript.push([step.do, perform(router, step)])
    } catch (error) {
      const { name, message, code } = error as Error & { code?: string }
      transcript.push([step.do, name, message, code])
      if (step.do === 'on') {
        break
      }
    }
  }
  return transcript
}

function perform(router: AnyRouter, step: Step): unknown {
  switch (step.do) {
    case 'on': {
      const { methods, path, constraints, name } = step
      const opts = constraints === undefined ? {} : { constraints }
      // `prettyPrint` shows members of the store, also symbols and functions. Any function will do.
      router.on(methods, path, opts, handler, { name, [Symbol('own')]: run })
      return router.routes.map((each) => {
        const { method, path, pattern, store } = each as Record<string, unknown>
        return { method, path, pattern, store: (store as { name: string }).name }
      })
    }
    case 'off':
      router.off(step.methods, step.path, step.constraints)
      return router.routes.length
    case 'find': {
      const found = router.find(step.method, step.url, step.constraints)
      return (
        found && {
          store: (found.store as { name: string } | null)?.name,
          params: found.params,
          prototype: Object.getPrototypeOf(found.params) as unknown,
          query: { ...(found.searchParams as object) },
          // For a malformed URL, `find` returns a handler that calls `onBadUrl`, and no store.
          handled: found.store === null ? found.handler({}, {}) : undefined,
        }
      )
    }
    case 'lookup': {
      const results: unknown[] = []
      const ctx = { own: 'context' }
      const done = (...result: unknown[]): number => results.push(result)
      results.push(router.lookup(step, {}), router.lookup(step, {}, ctx))
      router.lookup(step, {}, ctx, done)
      router.lookup(step, {}, done)
      return toPlain(results)
    }
    case 'findRoute': {
      const found = router.findRoute(step.method, step.path, step.constraints)
      return [toPlain(found), router.hasRoute(step.method, step.path, step.constraints)]
    }
    case 'print': {
      const { do: _, ...options } = step
      return router.prettyPrint(options)
    }
    case 'addStrategy':
      router.addConstraintStrategy(lateStrategy())
      return ['late', 'secret', 'host', 'version', 'none'].map((name) =>
        router.hasConstraintStrategy(name),
      )
    case 'reset':
      return router.reset()
  }
}

/** Returns results as JSON values: errors become their messages, functions and symbols are left out. */
function toPlain(results: unknown): unknown {
  return JSON.parse(
    JSON.stringify(results, (_key, value: unknown) =>
      value instanceof Error ? value.message : value,
    ),
  ) as unknown
}
