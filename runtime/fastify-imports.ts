/** Module hooks of `framework/fastify` for Node releases that run hooks in a separate thread. */

/** Specifiers to replace, and by what. */
interface Replaced {
  readonly names: RegExp
  readonly url: string
}

let replaced: Replaced

export function initialize(given: Replaced): void {
  replaced = given
}

export async function resolve(
  specifier: string,
  context: object,
  next: (specifier: string, context: object) => Promise<unknown>,
): Promise<unknown> {
  const { names, url } = replaced
  return names.test(specifier) ? { url, shortCircuit: true } : next(specifier, context)
}
