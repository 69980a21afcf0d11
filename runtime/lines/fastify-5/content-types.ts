/** How Fastify 5 compares and completes content types. */
import { errors } from '../../errors/fastify-5.ts'
import { emitWarning } from '../../errors/warnings.ts'
import type { TypeRules } from '../../serve/content-type-parsers.ts'
import { parseContentType } from './content-type.ts'

/** The form of an invalid content type. */
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
    if (patterns.some(({ name }) => name === mediaType)) return mediaType
    const expression = expressions.find((candidate) => {
      // With the flag `g` or `y` it would continue after the match of the previous request.
      candidate.lastIndex = 0
      return candidate.test(text)
    })
    return expression === undefined ? undefined : String(expression)
  },
}

/** Returns the content type with charset if it is one of JSON, such as application/hal+json. */
export function toJsonType(contentType: string): string | undefined {
  const parsed = parseContentType(contentType)
  if (!parsed?.mediaType.includes('json')) return undefined
  return parsed.hasCharset ? contentType : `${parsed.text}; charset=utf-8`
}
