/** Observes which calls a platform refuses outside of requests. Packages may hide the error in one of their own. */

/** Functions that workerd refuses while a Worker starts. */
const refused = (): readonly (readonly [owner: object, names: readonly string[]])[] => [
  [Object.getPrototypeOf(crypto) as object, ['getRandomValues', 'randomUUID']],
  [globalThis, ['fetch', 'setInterval', 'setTimeout']],
]

export interface Refusals {
  /** Returns whether the error is a refusal, or may follow from one. */
  explain(error: unknown): boolean
  /** Restores the functions. */
  end(): void
}

export function observeRefusals(): Refusals {
  let isRefused = false
  const restores = refused().flatMap(([owner, names]) =>
    names.map((name) => replace(owner, name, () => (isRefused = true))),
  )
  return {
    explain: (error) => isRefused || isRefusal(error),
    end: () => restores.forEach((restore) => restore()),
  }
}

function replace(owner: object, name: string, note: () => void): () => void {
  const functions = owner as Record<string, Function>
  const original = functions[name] as Function
  const fail = (error: unknown): never => {
    if (isRefusal(error)) note()
    throw error
  }
  functions[name] = function (this: unknown, ...args: unknown[]): unknown {
    try {
      const result: unknown = Reflect.apply(original, this ?? globalThis, args)
      // `fetch` doesn't throw, but rejects.
      return result instanceof Promise ? result.catch(fail) : result
    } catch (error) {
      return fail(error)
    }
  }
  return () => void (functions[name] = original)
}

/** Checks for errors of workerd about timers, random values and connections outside of requests. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message.includes('within global scope')
}
