/** Module hooks of `framework/fastify` for Node releases that run hooks in a separate thread. */

/** The specifiers to replace, and the module that they get. */
interface Replacement {
  readonly names: RegExp
  readonly url: string
}

let replacement: Replacement

export function initialize(data: Replacement): void {
  replacement = data
}

export async function resolve(
  specifier: string,
  context: object,
  next: (specifier: string, context: object) => Promise<unknown>,
): Promise<unknown> {
  const { names, url } = replacement
  return names.test(specifier) ? { url, shortCircuit: true } : next(specifier, context)
}
