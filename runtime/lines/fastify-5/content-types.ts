/** Reads, compares and completes content types as Fastify 5 does (RFC 9110, sections 8.3.1 and 5.6.6). */
import { errors } from '../../errors/fastify-5.ts'
import { emitWarning } from '../../errors/warnings.ts'
import type { TypeRules } from '../../serve/content-type-parsers.ts'

interface ContentType {
  /** Type and subtype in lower case. */
  readonly mediaType: string
  readonly hasCharset: boolean
  /** The media type and its parameters in one form: the name of a parser. */
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
  let parsed = cache.get(header)
  if (parsed === undefined) {
    parsed = parse(header)
    if (cache.size === CACHE_SIZE) cache.delete(cache.keys().next().value as string)
    cache.set(header, parsed)
  }
  return parsed
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

/** Name of invalid content types. No parser has it. */
const INVALID = '/'

export const typeRules: TypeRules = {
  prepare: (contentType) => contentType.trim().toLowerCase(),

  toNewName(contentType) {
    if (typeof contentType === 'string') {
      const parsed = parseContentType(contentType)
      if (parsed === null) throw new errors.FST_ERR_CTP_INVALID_TYPE()
      return parsed.text
    }
    const { source } = contentType
    if (!source.startsWith('^') && !source.includes(';?')) emitWarning('FSTSEC001', source)
    return String(contentType)
  },

  toName(contentType) {
    if (typeof contentType === 'string') return parseContentType(contentType)?.text ?? INVALID
    if (contentType instanceof RegExp) return String(contentType)
    throw new errors.FST_ERR_CTP_INVALID_TYPE()
  },

  match(contentType, patterns, expressions) {
    const text = contentType || INVALID
    const [mediaType] = text.split(';')
    if (patterns.includes(mediaType as string)) return mediaType
    const expression = expressions.find((candidate) => {
      // With the flag `g` or `y` it would continue after the match of the previous request.
      candidate.lastIndex = 0
      return candidate.test(text)
    })
    return expression === undefined ? undefined : String(expression)
  },
}

/** Returns a JSON content type, such as application/hal+json, with a charset; `undefined` for other types. */
export function toJsonType(contentType: string): string | undefined {
  const parsed = parseContentType(contentType)
  if (!parsed?.mediaType.includes('json')) return undefined
  return parsed.hasCharset ? contentType : `${parsed.text}; charset=utf-8`
}
