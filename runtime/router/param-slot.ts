/** Parses parameters with regular expressions, such as `:id(\\d+)` and `:a-:b`. */
import { assert } from './assert.ts'
import { isSafeRegex } from './safe-regex.ts'
import {
  type SegmentMatcher,
  expressionMatcher,
  textMatcher,
  toProgram,
} from './segment-matcher.ts'

/** A parameter's place in a path: everything between its first `:` and the next slash. */
export interface ParamSlot {
  /** The text in the path, with the colon. */
  readonly label: string
  /** The regular expression that the segment has to match. `null` if any segment matches. */
  readonly source: string | null
  /** Matches `source`. */
  readonly matcher: SegmentMatcher | null
  /** The text that the segment has to end with, for sorting. */
  readonly suffix: string | null
  /** The texts that follow the parameters of an expression, one each. */
  readonly texts: readonly string[]
}

/** Router options that change the meaning of a path. */
export interface PathOptions {
  readonly caseSensitive: boolean
  readonly allowUnsafeRegex: boolean
  readonly isVersion9: boolean
}

/** The slot of a trailing `*`. */
export const wildcard: ParamSlot = {
  label: '*',
  source: null,
  matcher: null,
  suffix: null,
  texts: [],
}

const OPEN_PARENTHESIS = 40
const COLON = 58

/** Parses `:a(regex)text:b-:c…` up to the next slash, and adds its parameter names to `params`. @param pattern the path before it, for errors */
export function parseRegexSlot(
  path: string,
  colon: number,
  params: string[],
  options: PathOptions,
  pattern: string,
): { end: number; slot: ParamSlot } {
  let source = '^'
  const texts: string[] = []
  let hasOwnRegex = false
  let followsParam = false
  let at = colon
  do {
    const nameStart = at + 1
    at = endOfName(path, nameStart)
    params.push(path.slice(nameStart, at))
    if (path.charCodeAt(at) === OPEN_PARENTHESIS) {
      const end = closingParenthesis(path, at)
      if (end === -1) {
        throw new TypeError(`Invalid regexp expression in "${pattern}${path.slice(colon + 1)}"`)
      }
      const group = path.slice(at, end + 1)
      if (!options.allowUnsafeRegex) {
        assert(
          isSafeRegex(new RegExp(group)) && toProgram(group) !== null,
          `The regex '${group}' is not safe!`,
        )
      }
      source += withoutAnchors(group)
      hasOwnRegex = true
      followsParam = false
      at = end + 1
    } else {
      source += options.isVersion9 && followsParam ? withoutText(texts.at(-1)!) : '(.*?)'
      followsParam = true
    }
    const textStart = at
    at = endOfText(path, at)
    const text = unescapeText(path.slice(textStart, at))
    source += escapeRegex(text)
    texts.push(text)
  } while (path.charCodeAt(at) === COLON)
  source += '$'
  const label = path.slice(colon, at)
  const suffix = texts.at(-1) || null
  if (!hasOwnRegex && !options.isVersion9) {
    return { end: at, slot: { label, source, matcher: textMatcher(texts), suffix, texts } }
  }
  // Normalizes the expression, and throws if it's invalid.
  source = new RegExp(source).source
  const program = toProgram(source)
  assert(program !== null || options.allowUnsafeRegex, `The regex '${label}' is not safe!`)
  const matcher = expressionMatcher(source, program)
  return { end: at, slot: { label, source, matcher, suffix, texts } }
}

const staticText = /(?:[^/:]|::)*/y

/** Returns the end of the static text between two parameters of a segment. */
function endOfText(path: string, from: number): number {
  staticText.lastIndex = from
  staticText.exec(path)
  return staticText.lastIndex
}

/** Returns the index of the closing parenthesis, or -1. */
function closingParenthesis(path: string, open: number): number {
  let depth = 1
  for (let i = open + 1; i < path.length; i++) {
    const char = path[i]
    if (char === '\\') {
      i++
    } else if (char === '(') {
      depth++
    } else if (char === ')' && --depth === 0) {
      return i
    }
  }
  return -1
}

/** Removes the anchors of `(^x$)`, which becomes a part of a larger expression. */
function withoutAnchors(group: string): string {
  let body = group.slice(1, -1)
  if (body.startsWith('^')) {
    body = body.slice(1)
  }
  if (body.endsWith('$')) {
    body = body.slice(0, -1)
  }
  return `(${body})`
}

/** Returns a group for a parameter of find-my-way 9: the text before it isn't in it again, unless it is that text. */
function withoutText(text: string): string {
  const escaped = escapeRegex(text)
  return `(${escaped}|(?:(?!${escaped}).)*)`
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const nameEnd = /[(\-./]|$/g

/** Returns the end of a parameter's name. */
export function endOfName(path: string, from: number): number {
  nameEnd.lastIndex = from
  return nameEnd.exec(path)?.index ?? path.length
}

/** Converts static text to its form in a sanitized URL, see `toText` in path.ts. */
export function unescapeText(raw: string): string {
  return raw.replaceAll('::', ':').replaceAll('%', '%25')
}
