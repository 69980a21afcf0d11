/** The argument that Fastify passes to a compiler. */
export interface Target {
  readonly schema: unknown
  readonly method?: string | readonly string[]
  readonly url?: string
  readonly httpPart?: string
  readonly httpStatus?: string
  readonly contentType?: string
}

/** Returns the part's name in the manifest: `body`, `200 application/json`. */
export function partOf({ httpPart, httpStatus, contentType }: Omit<Target, 'schema'>): string {
  return [httpPart ?? httpStatus, contentType].filter(Boolean).join(' ')
}

export function routeOf({ method, url }: Omit<Target, 'schema'>): string {
  return url === undefined ? 'A schema' : `${[method].flat().join(', ')} ${url}`
}
