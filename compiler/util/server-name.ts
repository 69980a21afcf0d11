/** The packages that create applications, as they are imported. */
export type ServerName = 'framework' | 'framework/5' | 'fastify'

export function isServerName(specifier: string): specifier is ServerName {
  return specifier === 'framework' || specifier === 'framework/5' || specifier === 'fastify'
}
