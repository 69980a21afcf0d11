import contentTypes from 'fast-content-type-parse'
import secureJson from 'secure-json-parse'
import { errorCodes } from '../errors/index.ts'
import type { Failure, Request } from './model.ts'

export type BodyDone = (error: unknown, body?: unknown) => void

/** Parses the text, buffer or stream of a request, by callback or promise. */
export type BodyParser = (request: Request, payload: unknown, done: BodyDone) => unknown

/** The parser of a content type. It gets the stream if neither `asString` nor `asBuffer` is set. */
export interface Parser {
  readonly asString: boolean
  readonly asBuffer: boolean
  /** Bytes. */
  readonly bodyLimit: number | undefined
  readonly parse: BodyParser
}

/** A content type that a parser was added for. */
interface TypePattern {
  readonly name: string
  /** The parsed name, created on first use. */
  parsed?: ParsedPattern
}

interface ParsedPattern {
  readonly type: string
  readonly parameters: readonly (readonly [string, string])[]
}

type ParsedContentType = ReturnType<typeof contentTypes.safeParse>

export type PoisoningAction = 'error' | 'remove' | 'ignore'

const CACHE_SIZE = 100
const BYTE_ORDER_MARK = 0xfeff
/** The name of the parser for all other content types. */
const CATCH_ALL = ''

/** The content type parsers of one context. */
export class ContentTypeParsers {
  readonly #defaultJsonParser: BodyParser
  #parsers: Map<string, Parser>
  #patterns: TypePattern[]
  #expressions: RegExp[]
  /** Parsers by the content type of earlier requests, the oldest first. */
  #cache = new Map<string, Parser | undefined>()

  private constructor(
    defaultJsonParser: BodyParser,
    parsers: Map<string, Parser>,
    patterns: TypePattern[],
    expressions: RegExp[],
  ) {
    this.#defaultJsonParser = defaultJsonParser
    this.#parsers = parsers
    this.#patterns = patterns
    this.#expressions = expressions
  }

  /** Creates the parsers of a new application: JSON and plain text. */
  static createDefault(bodyLimit: number, parseJson: BodyParser): ContentTypeParsers {
    const withLimit = { asString: true, asBuffer: false, bodyLimit }
    return new ContentTypeParsers(
      parseJson,
      new Map([
        ['application/json', { ...withLimit, parse: parseJson }],
        ['text/plain', { ...withLimit, parse: parseText }],
      ]),
      [{ name: 'application/json' }, { name: 'text/plain' }],
      [],
    )
  }

  /** Creates the parsers of a child context. */
  inherit(): ContentTypeParsers {
    return new ContentTypeParsers(
      this.#defaultJsonParser,
      new Map(this.#parsers),
      this.#patterns.slice(),
      this.#expressions.slice(),
    )
  }

  /** @throws FST_ERR_CTP_* */
  add(
    contentType: unknown,
    parseAs: unknown,
    bodyLimit: number | undefined,
    parse: BodyParser | undefined,
  ): void {
    assertContentType(contentType)
    if (contentType === '') throw new errorCodes.FST_ERR_CTP_EMPTY_TYPE()
    if (typeof parse !== 'function') throw new errorCodes.FST_ERR_CTP_INVALID_HANDLER()
    if (this.#isTaken(contentType)) {
      throw new errorCodes.FST_ERR_CTP_ALREADY_PRESENT(contentType)
    }
    if (parseAs !== undefined && parseAs !== 'string' && parseAs !== 'buffer') {
      throw new errorCodes.FST_ERR_CTP_INVALID_PARSE_TYPE(parseAs)
    }
    const parser: Parser = {
      asString: parseAs === 'string',
      asBuffer: parseAs === 'buffer',
      bodyLimit,
      parse,
    }
    if (contentType === '*') {
      this.#parsers.set(CATCH_ALL, parser)
      return
    }
    if (typeof contentType === 'string') this.#patterns.unshift({ name: contentType })
    else this.#expressions.unshift(contentType)
    this.#parsers.set(String(contentType), parser)
  }

  has(contentType: string | RegExp): boolean {
    return this.#parsers.has(String(contentType))
  }

  /** @throws FST_ERR_CTP_INVALID_TYPE */
  remove(contentType: unknown): void {
    assertContentType(contentType)
    const name = String(contentType)
    this.#parsers.delete(name)
    this.#patterns = this.#patterns.filter((pattern) => pattern.name !== name)
    this.#expressions = this.#expressions.filter((expression) => String(expression) !== name)
  }

  removeAll(): void {
    this.#parsers = new Map()
    this.#patterns = []
    this.#expressions = []
    this.#cache = new Map()
  }

  /** Returns the parser for a `content-type` header. Parsers that were added later take precedence. */
  find(contentType: string): Parser | undefined {
    const exact = this.#parsers.get(contentType)
    if (exact !== undefined) return exact
    const cached = this.#cache.get(contentType)
    if (cached !== undefined) return cached
    const name = this.#matchingName(contentType)
    if (name === undefined) return this.#parsers.get(CATCH_ALL)
    const parser = this.#parsers.get(name)
    if (parser !== undefined) this.#remember(contentType, parser)
    return parser
  }

  #matchingName(contentType: string): string | undefined {
    const parsed = contentTypes.safeParse(contentType)
    if (parsed.type === '') return undefined
    for (const pattern of this.#patterns) {
      if (matches(parsed, (pattern.parsed ??= parsePattern(pattern.name)))) return pattern.name
    }
    const expression = this.#expressions.find((candidate) => {
      // With the flag `g` or `y` it would continue after the match of the previous request.
      candidate.lastIndex = 0
      return candidate.test(candidate.source.includes(';') ? contentType : parsed.type)
    })
    return expression === undefined ? undefined : String(expression)
  }

  #remember(contentType: string, parser: Parser): void {
    if (this.#cache.size === CACHE_SIZE) {
      this.#cache.delete(this.#cache.keys().next().value as string)
    }
    this.#cache.set(contentType, parser)
  }

  #isTaken(contentType: string | RegExp): boolean {
    const present = this.#parsers.get(String(contentType))
    // The default parsers may be replaced.
    if (contentType === 'application/json') {
      return present !== undefined && present.parse !== this.#defaultJsonParser
    }
    if (contentType === 'text/plain') return present !== undefined && present.parse !== parseText
    return present !== undefined
  }
}

function assertContentType(contentType: unknown): asserts contentType is string | RegExp {
  if (typeof contentType === 'string' || contentType instanceof RegExp) return
  throw new errorCodes.FST_ERR_CTP_INVALID_TYPE()
}

function parsePattern(name: string): ParsedPattern {
  if (!name.includes(';')) return { type: name, parameters: [] }
  const { type, parameters } = contentTypes.safeParse(name)
  // An empty type would match everything.
  return { type: type || name.split(';')[0] || name, parameters: Object.entries(parameters) }
}

function matches(parsed: ParsedContentType, { type, parameters }: ParsedPattern): boolean {
  return (
    parsed.type.includes(type) &&
    parameters.every(([key, value]) => parsed.parameters[key] === value)
  )
}

/** Creates the default JSON parser, which rejects, removes or ignores keys that poison prototypes. */
export function createJsonParser(
  protoAction: PoisoningAction,
  constructorAction: PoisoningAction,
): BodyParser {
  return (_request, body, done) => {
    if (body === '' || body === null || body === undefined || isEmptyBuffer(body)) {
      return done(new errorCodes.FST_ERR_CTP_EMPTY_JSON_BODY(), undefined)
    }
    let json: unknown
    try {
      json = isInnocent(body)
        ? JSON.parse(body)
        : secureJson.parse(body as string, null, { protoAction, constructorAction })
    } catch (error) {
      const failure = error as Failure
      failure.statusCode = 400
      // The client has caused the error: a stack would only fill the log.
      failure.stack = String(failure)
      return done(failure, undefined)
    }
    done(null, json)
  }
}

/**
 * Returns whether a text can't contain keys that poison prototypes, escaped ones included, and has no byte order mark.
 * The regular expressions of `secure-json-parse` take as long as parsing the text.
 */
function isInnocent(body: unknown): body is string {
  return (
    typeof body === 'string' &&
    !body.includes('\\') &&
    !body.includes('__proto__') &&
    !body.includes('constructor') &&
    body.charCodeAt(0) !== BYTE_ORDER_MARK
  )
}

/** The default parser of plain text. */
export function parseText(_request: Request, body: unknown, done: BodyDone): void {
  done(null, body)
}

function isEmptyBuffer(body: unknown): boolean {
  return Buffer.isBuffer(body) && body.length === 0
}
