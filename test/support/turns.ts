/** Waits for turns of the event loop instead of the clock, for applications that only `inject` drives. */

/** Number of turns after which a pending promise counts as never settled. */
const MAX_TURNS = 150

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
  for (let i = 0; i < MAX_TURNS && outcome === undefined; i++) await turns(1)
  return outcome ?? { kind: 'never' }
}

/** Waits for a number of turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}
