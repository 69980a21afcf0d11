/** Where a text stops being JSON. */
export interface JsonProblem {
  readonly start: number
  readonly length: number
  readonly reason: string
}

/** What may come next; `element` and `member` also allow the end of what has just begun. */
type Expected = 'value' | 'element' | 'name' | 'member' | 'colon' | 'comma' | 'end'

type Closing = ']' | '}'

const blanks = /[ \t\r\n]*/y
const markOrLiteral = /[{}[\]:,]|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** A string up to its closing quote, or to what cannot stand in it. */
const opened = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*/y
/** What is underlined of what is no part of JSON. */
const other = /\/[/*]|[\w$]+|[^]?/uy

/**
 * What is wrong with a text that Node reads as JSON; `undefined` when nothing is.
 *
 * `JSON.parse` decides. Its messages tell the place only at times, and in each version of Node in another way: the place is
 * looked for here.
 */
export function jsonProblem(text: string): JsonProblem | undefined {
  // As Node does for `import` and `require`.
  const begin = text.startsWith('\uFEFF') ? 1 : 0
  try {
    JSON.parse(text.slice(begin))
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return firstProblem(text, begin)
  }
}

function firstProblem(text: string, begin: number): JsonProblem {
  const open: Closing[] = []
  let expected: Expected = 'value'
  /** The token before, and where it ends. */
  let before = ''
  let end = begin
  for (;;) {
    const start = end + matchAt(blanks, text, end).length
    const token = tokenAt(text, start)
    const next = following(expected, token, open)
    if (next === undefined) {
      if (before === ',' && token === open.at(-1))
        return { start: end - 1, length: 1, reason: 'JSON has no comma after the last element.' }
      // One that ends would have been taken.
      if (text[start] === '"' && following(expected, '""', open) !== undefined)
        return inString(text, start + matchAt(opened, text, start).length)
      const found = token || matchAt(other, text, start)
      const reason = hint(found) ?? wanted(expected, open)
      // The end of a file is shown behind what was last in it.
      return found === ''
        ? { start: end, length: 1, reason }
        : { start, length: found.length, reason }
    }
    before = token
    expected = next
    end = start + token.length
  }
}

/** The token that begins there; '' when none does. */
function tokenAt(text: string, start: number): string {
  const content = matchAt(opened, text, start)
  if (content === '') return matchAt(markOrLiteral, text, start)
  return text[start + content.length] === '"' ? `${content}"` : ''
}

/** What is expected after a token; `undefined` when the token is not expected itself. */
function following(expected: Expected, token: string, open: Closing[]): Expected | undefined {
  switch (expected) {
    case 'value':
      if (token === '{') return begin('}', 'member')
      if (token === '[') return begin(']', 'element')
      return /^["\w-]/.test(token) ? afterValue() : undefined
    case 'element':
      return token === ']' ? close() : following('value', token, open)
    case 'name':
      return token.startsWith('"') ? 'colon' : undefined
    case 'member':
      return token === '}' ? close() : following('name', token, open)
    case 'colon':
      return token === ':' ? 'value' : undefined
    case 'comma':
      if (token === ',') return open.at(-1) === '}' ? 'name' : 'value'
      return token === open.at(-1) ? close() : undefined
    case 'end':
      return undefined
  }

  function begin(closing: Closing, inside: Expected): Expected {
    open.push(closing)
    return inside
  }

  function close(): Expected {
    open.pop()
    return afterValue()
  }

  function afterValue(): Expected {
    return open.length > 0 ? 'comma' : 'end'
  }
}

/** What is wrong inside a string, at the first character that cannot stand there. */
function inString(text: string, start: number): JsonProblem {
  const at = text[start]
  if (at === '\\') {
    const length = Math.min(2, text.length - start)
    return { start, length, reason: 'JSON has no such escape sequence.' }
  }
  const isEnd = at === undefined || at === '\n' || at === '\r'
  const reason = isEnd
    ? 'Unterminated string.'
    : 'A control character in a string has to be escaped.'
  return { start, length: 1, reason }
}

function hint(found: string): string | undefined {
  if (found.startsWith('/')) return 'JSON has no comments.'
  return found === "'" ? 'JSON has double quotes only.' : undefined
}

function wanted(expected: Expected, open: readonly Closing[]): string {
  switch (expected) {
    case 'value':
      return 'JSON value expected.'
    case 'element':
      return "JSON value or ']' expected."
    case 'name':
      return 'Name in double quotes expected.'
    case 'member':
      return "Name in double quotes or '}' expected."
    case 'colon':
      return "':' expected."
    case 'comma':
      return `',' or '${open.at(-1)}' expected.`
    case 'end':
      return 'End of the file expected.'
  }
}

/** The text that a pattern takes from there on; '' when it does not match. */
function matchAt(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}
