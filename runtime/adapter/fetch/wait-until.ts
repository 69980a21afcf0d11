/** The context that platforms such as workerd pass to `fetch` as the last argument. */
interface Context {
  waitUntil?(work: Promise<unknown>): void
}

/**
 * Asks the platform to wait for a promise after it has answered, if it would end such work otherwise.
 *
 * @param args the arguments of `fetch`
 * @param work a promise that doesn't reject
 */
export function waitUntil(args: readonly unknown[], work: PromiseLike<unknown>): void {
  const context = args.at(-1) as Context | null | undefined
  if (typeof context?.waitUntil === 'function') context.waitUntil(Promise.resolve(work))
}
