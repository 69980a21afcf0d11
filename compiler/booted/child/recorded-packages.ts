/** Packages whose instances are recorded. */
const names: ReadonlySet<string> = new Set(['fastify', 'framework'])

export function isRecorded(specifier: string): boolean {
  return names.has(specifier)
}
