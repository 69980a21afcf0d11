import {
  type ParamSlot,
  type PathOptions,
  endOfName,
  parseRegexSlot,
  unescapeText,
  wildcard,
} from './param-slot.ts'

/** A route path taken apart: `texts[0] slots[0] texts[1] slots[1] …`. */
export interface ParsedPath {
  /** The path without parameter names: two routes with the same one answer the same requests. */
  readonly pattern: string
  /** Parameter names in order; `*` is the name of the wildcard. */
  readonly params: readonly string[]
  /** Static parts, as they are compared with a sanitized URL; one more than slots, may be empty. */
  readonly texts: readonly string[]
  readonly slots: readonly ParamSlot[]
}

/** As much of a path as registration needs. */
export interface PathOutline {
  readonly path: string
  readonly pattern: string
  /** Starts with the static text before the first parameter … */
  readonly lead: string
  /** … which ends here. */
  readonly leadEnd: number
  /** `null` until `parsedOf` is asked for it. */
  parsed: ParsedPath | null
}

const none: readonly never[] = []
const plain: PathOptions = { caseSensitive: true, allowUnsafeRegex: false }

const SLASH = 47
const COLON = 58

/** Static text and parameters that fill their segments, without `::` and what is encoded. */
const PLAIN = /^[^:*%]*(?::[^/:(\-.*%]*\/[^:*%]*)*(?::[^/:(\-.*%]*)?$/
const NAMES = /:[^/]*/g

/**
 * The pattern of a path that has nothing but static text and parameters that fill their segments,
 * which is nearly every path; `null` for others. Such a path needs no parsing to be registered.
 *
 * By expressions, which the engine compiles once: loops over the characters of a thousand paths are optimized, which costs more.
 */
export function plainPattern(path: string): string | null {
  if (!PLAIN.test(path)) return null
  return path.includes(':') ? path.replace(NAMES, ':') : path
}

/** The parsed form of a registered path. */
export function parsedOf(route: PathOutline): ParsedPath {
  // Only plain paths are still to be parsed, for which the options make no difference.
  return (route.parsed ??= parsePath(route.path, plain))
}

/**
 * Takes a route path apart.
 *
 * Throws for a wildcard that is not last, and for regular expressions that are unsafe or invalid.
 */
export function parsePath(path: string, options: PathOptions): ParsedPath {
  let colon = nextParam(path, 0)
  let star = path.indexOf('*')
  if (colon === -1 && star === -1) {
    const pattern = options.caseSensitive ? path : path.toLowerCase()
    return { pattern, params: none, texts: [toText(path, options)], slots: none }
  }

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
      slots.push({ label: path.slice(colon, start), source: null, matcher: null, suffix: null })
    } else {
      const { end, slot } = parseRegexSlot(path, colon, params, options, pattern)
      slots.push(slot)
      pattern += slot.suffix === null ? '()' : '()' + slot.suffix
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
  return { pattern: pattern === '*' ? '/*' : pattern, params, texts, slots }
}

/** Index of the next `:` that starts a parameter; a doubled one stands for itself. */
function nextParam(path: string, from: number): number {
  let colon = path.indexOf(':', from)
  while (colon !== -1 && path.charCodeAt(colon + 1) === COLON) {
    colon = path.indexOf(':', colon + 2)
  }
  return colon
}

/**
 * Static text of a path as a sanitized URL shows it: `::` is a colon, and a percent sign stays
 * encoded there because that is the only character that is not decoded before matching.
 */
function toText(raw: string, options: PathOptions): string {
  const text = options.caseSensitive ? raw : raw.toLowerCase()
  return unescapeText(text)
}
