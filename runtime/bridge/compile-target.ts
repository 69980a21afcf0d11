/** The part of a route for which Fastify calls a compiler. */
import type { CompileTarget } from '../compiled/faults.ts'

/** The argument that Fastify passes to a compiler. */
export interface Target extends Omit<CompileTarget, 'schema'> {
  readonly schema: unknown
}

/** Returns the part's name in the manifest: `body`, `200 application/json`. */
export function partOf({ httpPart, httpStatus, contentType }: Target): string {
  return [httpPart ?? httpStatus, contentType].filter(Boolean).join(' ')
}

export function routeOf({ method, url }: Target): string {
  return url === undefined ? 'A schema' : `${[method].flat().join(', ')} ${url}`
}
