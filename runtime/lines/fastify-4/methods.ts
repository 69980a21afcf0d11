import {
  anyBody,
  describedBody,
  noBody,
  type ReadContentType,
} from '../../serve/line/content-type-of-body.ts'

/** The methods of `all`, and how their body is read; `null` if their routes can't have a body schema. */
const supported: readonly (readonly [string, ReadContentType | null])[] = [
  ['DELETE', describedBody],
  ['GET', null],
  ['HEAD', null],
  ['PATCH', anyBody],
  ['POST', anyBody],
  ['PUT', anyBody],
  ['OPTIONS', describedBody],
  ['PROPFIND', noBody],
  ['PROPPATCH', noBody],
  ['MKCOL', noBody],
  ['COPY', noBody],
  ['MOVE', noBody],
  ['LOCK', noBody],
  ['UNLOCK', noBody],
  ['TRACE', anyBody],
  ['SEARCH', anyBody],
]

export const supportedMethods: readonly string[] = supported.map(([method]) => method)

/** The methods of routes, with QUERY, which Fastify 5 added. */
export const methods: ReadonlyMap<string, ReadContentType | null> = new Map([
  ...supported,
  ['QUERY', anyBody],
])
