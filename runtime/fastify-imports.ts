/** Module hooks of `framework/fastify` for Node releases that run hooks in a separate thread. */

let urls: Readonly<Record<string, string>> = {}

export function initialize(meant: typeof urls): void {
  urls = meant
}

export async function resolve(
  specifier: string,
  context: object,
  next: (specifier: string, context: object) => Promise<unknown>,
): Promise<unknown> {
  const url = urls[specifier]
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
}
