/** Reads content types as Fastify 5 does (RFC 9110, sections 8.3.1 and 5.6.6). */

export interface ContentType {
  /** Type and subtype in lower case. */
  readonly mediaType: string
  readonly hasCharset: boolean
  /** The media type and its parameters in one form, by which parsers are found. */
  readonly text: string
}

const token = "[\\w!#$%&'*+.^`|~-]+"
const TYPE = new RegExp(`^\\s*(${token}/${token})\\s*(?:;([^]*))?$`)
const PARAMETER = new RegExp(
  `(?:^|;)\\s*(${token})=("(?:[\\t !#-[\\]-~\\x80-\\xff]|\\\\[\\t -\\xff])*"|${token})`,
  'g',
)

const CACHE_SIZE = 100
const cache = new Map<string, ContentType | null>()

/** Returns `null` for an invalid or missing content type. */
export function parseContentType(header: unknown): ContentType | null {
  if (typeof header !== 'string') return null
  let known = cache.get(header)
  if (known === undefined) {
    known = parse(header)
    if (cache.size === CACHE_SIZE) cache.delete(cache.keys().next().value as string)
    cache.set(header, known)
  }
  return known
}

function parse(header: string): ContentType | null {
  const [, given, rest = ''] = TYPE.exec(header) ?? []
  if (given === undefined) return null
  const mediaType = given.toLowerCase()
  const parameters = new Map<string, string>()
  for (const [, name, value] of rest.trim().matchAll(PARAMETER)) {
    parameters.set((name as string).toLowerCase(), unquote(value as string))
  }
  const text = [...parameters].map(([name, value]) => `; ${name}="${value}"`).join('')
  return { mediaType, hasCharset: parameters.has('charset'), text: mediaType + text }
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value
}
