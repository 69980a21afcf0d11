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

/** How content types are compared. */
export interface TypeRules {
  /** Returns the content type of a new parser in the form in which it is checked. */
  prepare(contentType: string): string
  /** Returns the name of a parser that is added. @throws FST_ERR_CTP_INVALID_TYPE */
  toNewName(contentType: string | RegExp): string
  /** Returns the name of a parser that may have been added. @throws FST_ERR_CTP_INVALID_TYPE */
  toName(contentType: unknown): string
  /** Returns the name of the parser for the content type of a request. */
  match(
    contentType: string,
    patterns: readonly string[],
    expressions: readonly RegExp[],
  ): string | undefined
}

export type PoisoningAction = 'error' | 'remove' | 'ignore'

const BYTE_ORDER_MARK = 0xfeff
/** The name of the parser for all other content types. */
const CATCH_ALL = ''

/** The content type parsers of one context. */
export class ContentTypeParsers {
  readonly #rules: TypeRules
  readonly #defaultJsonParser: BodyParser
  #parsers = new Map<string, Parser>()
  /** Names of content types, the last added first. */
  #patterns: string[] = []
  #expressions: RegExp[] = []

  private constructor(rules: TypeRules, defaultJsonParser: BodyParser) {
    this.#rules = rules
    this.#defaultJsonParser = defaultJsonParser
  }

  /** Creates the parsers of a new application: JSON and plain text. */
  static createDefault(
    bodyLimit: number,
    parseJson: BodyParser,
    rules: TypeRules,
  ): ContentTypeParsers {
    const parsers = new ContentTypeParsers(rules, parseJson)
    const withLimit = { asString: true, asBuffer: false, bodyLimit }
    parsers.#parsers.set('application/json', { ...withLimit, parse: parseJson })
    parsers.#parsers.set('text/plain', { ...withLimit, parse: parseText })
    parsers.#patterns = [...parsers.#parsers.keys()]
    return parsers
  }

  /** Creates the parsers of a child context. */
  inherit(): ContentTypeParsers {
    const parsers = new ContentTypeParsers(this.#rules, this.#defaultJsonParser)
    parsers.#parsers = new Map(this.#parsers)
    parsers.#patterns = this.#patterns.slice()
    parsers.#expressions = this.#expressions.slice()
    return parsers
  }

  /** @throws FST_ERR_CTP_* */
  add(
    given: unknown,
    parseAs: unknown,
    bodyLimit: number | undefined,
    parse: BodyParser | undefined,
  ): void {
    assertContentType(given)
    const contentType = typeof given === 'string' ? this.#rules.prepare(given) : given
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
    const name = this.#rules.toNewName(contentType)
    if (typeof contentType === 'string') this.#patterns.unshift(name)
    else this.#expressions.unshift(contentType)
    this.#parsers.set(name, parser)
  }

  has(contentType: string | RegExp): boolean {
    return this.#parsers.has(this.#rules.toName(contentType))
  }

  /** @throws FST_ERR_CTP_INVALID_TYPE */
  remove(contentType: unknown): void {
    assertContentType(contentType)
    const name = this.#rules.toName(contentType)
    this.#parsers.delete(name)
    this.#patterns = this.#patterns.filter((pattern) => pattern !== name)
    this.#expressions = this.#expressions.filter((expression) => String(expression) !== name)
  }

  removeAll(): void {
    this.#parsers = new Map()
    this.#patterns = []
    this.#expressions = []
  }

  /** Returns the parser for a `content-type` header: the one of that name, or else one that matches, or the catch-all parser. */
  find(contentType: string): Parser | undefined {
    const exact = this.#parsers.get(contentType)
    if (exact !== undefined) return exact
    const name = this.#rules.match(contentType, this.#patterns, this.#expressions)
    return this.#parsers.get(name ?? CATCH_ALL)
  }

  #isTaken(contentType: string | RegExp): boolean {
    const present = this.#parsers.get(this.#rules.toName(contentType))
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

/**
 * Creates the default JSON parser, which rejects, removes or ignores keys that poison prototypes.
 *
 * @param toFailure converts an error of the parser
 */
export function createJsonParser(
  protoAction: PoisoningAction | undefined,
  constructorAction: PoisoningAction | undefined,
  toFailure: (error: Failure) => Failure,
): BodyParser {
  return (_request, body, done) => {
    const text = Buffer.isBuffer(body) ? body.toString() : (body as string | null | undefined)
    if (text === '' || text === null || text === undefined) {
      return done(new errorCodes.FST_ERR_CTP_EMPTY_JSON_BODY(), undefined)
    }
    let json: unknown
    try {
      json = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text)
      if (!isInnocent(text)) checkPoison(json, protoAction || 'error', constructorAction || 'error')
    } catch (error) {
      return done(toFailure(error as Failure), undefined)
    }
    done(null, json)
  }
}

/** Returns whether a text can't contain keys that poison prototypes. `\u00` begins the escape of an ASCII character. */
function isInnocent(text: string): boolean {
  return !text.includes('__proto__') && !text.includes('constructor') && !text.includes('\\u00')
}

/** Removes keys that poison prototypes. @throws SyntaxError if they are errors */
function checkPoison(
  json: unknown,
  protoAction: PoisoningAction,
  constructorAction: PoisoningAction,
): void {
  const nodes = [json]
  for (const node of nodes) {
    if (node === null || typeof node !== 'object') continue
    if (Object.hasOwn(node, '__proto__')) poison(node, '__proto__', protoAction)
    if (Object.hasOwn(node, 'constructor')) {
      const { constructor } = node as { constructor: unknown }
      const isPoison =
        constructor !== null && Object.hasOwn(Object(constructor) as object, 'prototype')
      if (isPoison) poison(node, 'constructor', constructorAction)
    }
    // One by one: spread arguments are limited by the stack, and arrays of a body aren't.
    for (const value of Object.values(node)) nodes.push(value)
  }
}

function poison(node: object, key: string, action: PoisoningAction): void {
  if (action === 'error') throw new SyntaxError('Object contains forbidden prototype property')
  // Unknown actions remove it too, as secure-json-parse does.
  if (action !== 'ignore') Reflect.deleteProperty(node, key)
}

/** The default parser of plain text. */
export function parseText(_request: Request, body: unknown, done: BodyDone): void {
  done(null, body)
}
