/** The context that platforms such as workerd pass to `fetch` as the last argument. */
interface Context {
  waitUntil?(work: Promise<unknown>): void
}

/**
 * Makes the platform wait for a promise after the answer, if it has `waitUntil`.
 *
 * @param args the arguments of `fetch`
 * @param work a promise that doesn't reject
 */
export function waitUntil(args: readonly unknown[], work: PromiseLike<unknown>): void {
  const context = args.at(-1) as Context | null | undefined
  if (typeof context?.waitUntil === 'function') context.waitUntil(Promise.resolve(work))
}
