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
  /** As written in the path, colon included. */
  readonly label: string
  /** `RegExp` source that the segment has to match; `null` when any segment will do. */
  readonly source: string | null
  /** What matches as `source` does. */
  readonly matcher: SegmentMatcher | null
  /** Text that the segment has to end with, for ordering; `null` when there is none. */
  readonly suffix: string | null
}

/** Router options that decide what a path means. */
export interface PathOptions {
  readonly caseSensitive: boolean
  readonly allowUnsafeRegex: boolean
}

/** The slot of a trailing `*`. */
export const wildcard: ParamSlot = { label: '*', source: null, matcher: null, suffix: null }

const OPEN_PARENTHESIS = 40
const DASH = 45
const DOT = 46
const SLASH = 47
const COLON = 58

/** Reads `:a(regex)text:b-:c…` up to the next slash, adding its parameter names to `params`. */
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
      at = end + 1
    } else {
      source += '(.*?)'
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
  if (!hasOwnRegex) return { end: at, slot: { label, source, matcher: textMatcher(texts), suffix } }
  // Two spellings of one expression share a node, and an invalid one has to throw here.
  source = new RegExp(source).source
  const program = toProgram(source)
  assert(program !== null || options.allowUnsafeRegex, `The regex '${label}' is not safe!`)
  return { end: at, slot: { label, source, matcher: expressionMatcher(source, program), suffix } }
}

/** End of the static text between two parameters of one segment. */
function endOfText(path: string, from: number): number {
  let i = from
  for (; i < path.length; i++) {
    const code = path.charCodeAt(i)
    if (code === SLASH) {
      break
    }
    if (code === COLON) {
      if (path.charCodeAt(i + 1) !== COLON) {
        break
      }
      i++
    }
  }
  return i
}

/** Index of the parenthesis that closes the one at `open`, or -1; backslashes escape. */
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

/** `(^x$)` without its anchors: it is put between other parts of a larger expression. */
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

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Where the name of a parameter ends, that of a segment at the latest. */
export function endOfName(path: string, from: number): number {
  let i = from
  for (; i < path.length; i++) {
    const code = path.charCodeAt(i)
    if (code === OPEN_PARENTHESIS || code === DASH || code === DOT || code === SLASH) {
      break
    }
  }
  return i
}

/** Static text as a sanitized URL shows it: see `toText` in path.ts. */
export function unescapeText(raw: string): string {
  let text = raw
  if (text.includes('::')) {
    text = text.replaceAll('::', ':')
  }
  if (text.includes('%')) {
    text = text.replaceAll('%', '%25')
  }
  return text
}
