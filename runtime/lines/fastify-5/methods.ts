import { errors } from '../../errors/fastify-5.ts'
import { headerOf } from '../../serve/exchange.ts'
import { untypedBody, type ReadContentType } from '../../serve/line/content-type-of-body.ts'
import { parseContentType } from './content-types.ts'
import { bodiless, withBody } from './values.ts'

/** Reads the content type in the form that parsers are found by. */
const read: ReadContentType = (request) => {
  const header = headerOf(request, 'content-type')
  if (header === undefined) return untypedBody(request)
  return parseContentType(header)?.text ?? new errors.FST_ERR_CTP_INVALID_MEDIA_TYPE()
}

/** QUERY needs a content type (RFC 10008, section 2). */
const readTyped: ReadContentType = (request, method) =>
  headerOf(request, 'content-type') === undefined
    ? new errors.FST_ERR_ROUTE_MISSING_CONTENT_TYPE(method)
    : read(request, method)

/** The methods of routes; `null` for those without a body. */
export const methods: ReadonlyMap<string, ReadContentType | null> = new Map([
  ...bodiless.map((method) => [method, null] as const),
  ...withBody.map((method) => [method, readerOf(method)] as const),
])

export function readerOf(method: string): ReadContentType {
  return method === 'QUERY' ? readTyped : read
}
