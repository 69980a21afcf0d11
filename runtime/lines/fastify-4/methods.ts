import {
  ofAny,
  ofDescribed,
  ofNone,
  type ReadContentType,
} from '../../serve/line/content-type-of-body.ts'

/** The methods of `all`, and how their body is read. */
const supported: readonly (readonly [string, ReadContentType | null])[] = [
  ['DELETE', ofDescribed],
  ['GET', null],
  ['HEAD', null],
  ['PATCH', ofAny],
  ['POST', ofAny],
  ['PUT', ofAny],
  ['OPTIONS', ofDescribed],
  ['PROPFIND', ofNone],
  ['PROPPATCH', ofNone],
  ['MKCOL', ofNone],
  ['COPY', ofNone],
  ['MOVE', ofNone],
  ['LOCK', ofNone],
  ['UNLOCK', ofNone],
  ['TRACE', ofAny],
  ['SEARCH', ofAny],
]

export const supportedMethods: readonly string[] = supported.map(([method]) => method)

/** With QUERY, which Fastify 5 added. */
export const methods: ReadonlyMap<string, ReadContentType | null> = new Map([
  ...supported,
  ['QUERY', ofAny],
])
