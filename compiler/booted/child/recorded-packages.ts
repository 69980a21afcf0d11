/** The packages whose instances are recorded, as an application imports them. */
const names: ReadonlySet<string> = new Set(['fastify', 'framework'])

export function isRecorded(specifier: string): boolean {
  return names.has(specifier)
}
