/** Checks, normalizes and parses the paths of routes. */
import { assert } from './assert.ts'
import {
  type ParamSlot,
  type PathOptions,
  endOfName,
  parseRegexSlot,
  unescapeText,
  wildcard,
} from './param-slot.ts'
import { removeDuplicateSlashes, trimLastSlash } from './url.ts'

/** A parsed path: `texts[0] slots[0] texts[1] slots[1] …`. */
export interface ParsedPath {
  /** The path without parameter names: routes with the same one differ in method or constraints. */
  readonly pattern: string
  /** Parameter names in order. The wildcard is called `*`. */
  readonly params: readonly string[]
  /** Static parts as they occur in a sanitized URL. They may be empty. The last one follows the last slot, unless that is a wildcard. */
  readonly texts: readonly string[]
  readonly slots: readonly ParamSlot[]
}

const none: readonly never[] = []

const SLASH = 47
const COLON = 58

/** An optional parameter: `/:name?` or `/:name?/`. */
const optionalParam = /(\/:[^/()]*?)\?(\/?)/

/** Throws if the path is invalid. */
export function assertPath(path: unknown): void {
  assert(typeof path === 'string', 'Path should be a string')
  if (path[0] === '/' || path[0] === '*') return
  assert(path.length > 0, 'The path could not be empty')
  assert(false, 'The first character of a path should be `/` or `*`')
}

/** Returns the path with its optional parameter and the path without it, or only the path if it has none. */
export function splitOptional(path: string): string[] {
  const found = optionalParam.exec(path)
  if (found === null) return [path]
  const [all, param = '', slash = ''] = found
  assert(
    path.length === found.index + all.length,
    'Optional Parameter needs to be the last parameter of the path',
  )
  const start = path.slice(0, found.index)
  return [start + param + slash, start + slash || '/']
}

/** Removes the slashes that the options ignore. */
export function normalizePath(
  path: string,
  options: { readonly ignoreTrailingSlash: boolean; readonly ignoreDuplicateSlashes: boolean },
): string {
  const single = options.ignoreDuplicateSlashes ? removeDuplicateSlashes(path) : path
  return options.ignoreTrailingSlash ? trimLastSlash(single) : single
}

/** Parses a path. Throws for a wildcard that isn't last, and for an unsafe or invalid regular expression. */
export function parsePath(path: string, options: PathOptions): ParsedPath {
  let colon = nextParam(path, 0)
  let star = path.indexOf('*')
  const params: string[] = []
  const texts: string[] = []
  const slots: ParamSlot[] = []
  let pattern = ''
  let start = 0
  while (colon !== -1 || star !== -1) {
    if (colon === -1 || (star !== -1 && star < colon)) {
      params.push('*')
      texts.push(toText(path.slice(start, star), options))
      slots.push(wildcard)
      if (star !== path.length - 1) {
        throw new Error('Wildcard must be the last character in the route')
      }
      break
    }
    texts.push(toText(path.slice(start, colon), options))
    pattern += path.slice(start, colon + 1)
    start = endOfName(path, colon + 1)
    if (start === path.length || path.charCodeAt(start) === SLASH) {
      params.push(path.slice(colon + 1, start))
      slots.push({
        label: path.slice(colon, start),
        source: null,
        matcher: null,
        suffix: null,
        texts: none,
      })
    } else {
      const { end, slot } = parseRegexSlot(path, colon, params, options, pattern)
      slots.push(slot)
      for (const text of slot.texts) pattern += '()' + text
      start = end
    }
    colon = nextParam(path, start)
    star = path.indexOf('*', start)
  }
  pattern += path.slice(start)
  if (slots.at(-1) !== wildcard) {
    texts.push(toText(path.slice(start), options))
  }
  if (!options.caseSensitive) {
    pattern = pattern.toLowerCase()
  }
  // As in find-my-way, `*` is the path `/*`.
  return { pattern: pattern === '*' ? '/*' : pattern, params, texts, slots }
}

/** Returns the index of the next `:` that starts a parameter. `::` is a literal colon. */
function nextParam(path: string, from: number): number {
  let colon = path.indexOf(':', from)
  while (colon !== -1 && path.charCodeAt(colon + 1) === COLON) {
    colon = path.indexOf(':', colon + 2)
  }
  return colon
}

/** Converts static text to its form in a sanitized URL: `::` becomes a colon, and `%` becomes `%25`, which sanitizing keeps. */
function toText(raw: string, options: PathOptions): string {
  const text = options.caseSensitive ? raw : raw.toLowerCase()
  return unescapeText(text)
}
