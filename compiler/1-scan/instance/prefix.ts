/** The prefix of a child context, joined as Fastify does it. */
export function joinPrefix(parent: string, own: string): string {
  if (own === '') return parent
  if (parent.endsWith('/') && own.startsWith('/')) return parent + own.slice(1)
  return parent + (own.startsWith('/') ? own : `/${own}`)
}
