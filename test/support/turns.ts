/** Waiting that does not depend on the clock, for applications that are driven by `inject` alone. */

/** Turns of the event loop after which something counts as never done. */
const PATIENCE = 150

export type Outcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'never' }

/** Resolves to the outcome of a promise, unless it takes too many turns. */
export async function outcomeOf<T>(promise: PromiseLike<T>): Promise<Outcome<T>> {
  let outcome: Outcome<T> | undefined
  promise.then(
    (value) => {
      outcome = { kind: 'value', value }
    },
    (error) => {
      outcome = { kind: 'error', error }
    },
  )
  for (let i = 0; i < PATIENCE && outcome === undefined; i++) await turns(1)
  return outcome ?? { kind: 'never' }
}

/** Lets that many turns of the event loop pass. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}
