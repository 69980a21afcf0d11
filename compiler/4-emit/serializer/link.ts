/**
 * Links the code that fast-json-stringify 7.3.6 generates: removes its preamble, refers to `framework/internal` and to linked
 * validators, and makes the code the same on every release of Node.
 */
import { rewrite, type Rules } from '../text/rewrite.ts'
import { join, tokenize, type Token } from '../text/tokens.ts'

/** The beginning of every generated serializer, without white space. */
const PREAMBLE = [
  'validator',
  'serializer',
  'const{asString,asNumber,asBoolean,asDateTime,asDate,asTime,asUnsafeString,asPlainStringArray}=serializer',
  'const asInteger=serializer.asInteger.bind(serializer)',
  `const JSON_STR_BEGIN_OBJECT='{'`,
  `const JSON_STR_END_OBJECT='}'`,
  `const JSON_STR_BEGIN_ARRAY='['`,
  `const JSON_STR_END_ARRAY=']'`,
  `const JSON_STR_COMMA=','`,
  `const JSON_STR_COLONS=':'`,
  `const JSON_STR_QUOTE='"'`,
  'const JSON_STR_EMPTY_OBJECT=JSON_STR_BEGIN_OBJECT+JSON_STR_END_OBJECT',
  'const JSON_STR_EMPTY_ARRAY=JSON_STR_BEGIN_ARRAY+JSON_STR_END_ARRAY',
  'const JSON_STR_EMPTY_STRING=JSON_STR_QUOTE+JSON_STR_QUOTE',
  `const JSON_STR_NULL='null'`,
]
  .join('')
  .replaceAll(' ', '')

const CONSTANTS: Readonly<Record<string, string>> = {
  JSON_STR_BEGIN_OBJECT: '"{"',
  JSON_STR_END_OBJECT: '"}"',
  JSON_STR_BEGIN_ARRAY: '"["',
  JSON_STR_END_ARRAY: '"]"',
  JSON_STR_COMMA: '","',
  JSON_STR_COLONS: '":"',
  JSON_STR_QUOTE: `'"'`,
  JSON_STR_EMPTY_OBJECT: '"{}"',
  JSON_STR_EMPTY_ARRAY: '"[]"',
  JSON_STR_EMPTY_STRING: `'""'`,
  JSON_STR_NULL: '"null"',
}

/** Possible imports from `framework/internal`, besides functions that round. */
const EXPORTS: ReadonlySet<string> = new Set([
  'LONG_INTEGER_ARRAY',
  'LONG_NUMBER_ARRAY',
  'LONG_STRING_ARRAY',
  'asBoolean',
  'asDate',
  'asDateTime',
  'asNumber',
  'asPlainStringArray',
  'asString',
  'asText',
  'asTime',
  'asUnsafeString',
  'mismatch',
  'missing',
])

/** Matches `(v||(v=validator.getSchemaValidator("...")))`, where `v` is `validate_` and a number. */
const LOOKUP = ['(', '', '|', '|', '(', '', '=', 'validator', '.', 'getSchemaValidator', '(', '']
const LOOKUP_LENGTH = LOOKUP.length + 3

/** Constants for lengths of arrays, which depend on the release of Node that generates the code. */
const LONG_ARRAYS: Readonly<Record<string, string>> = {
  asPlainStringArray: 'LONG_STRING_ARRAY',
  Number: 'LONG_INTEGER_ARRAY',
  typeof: 'LONG_NUMBER_ARRAY',
}

/** The names that the code of a serializer uses. */
export interface SerializerLinks {
  /** The export of `framework/internal` that rounds. */
  readonly asInteger: string
  /** Returns the name of the validator for a reference. */
  validator(reference: string): string
  /** Is called with each import from `framework/internal`. */
  use(name: string): void
}

/** Returns statements that define `main`. */
export function linkSerializer(code: string, rules: Rules, links: SerializerLinks): string {
  const tokens = rewrite(replaceTokens(withoutFrame(tokenize(code)), links), rules)
  for (let i = 0; i < tokens.length; i++) {
    const { text } = tokens[i] as Token
    const isExport = EXPORTS.has(text) || text === links.asInteger
    if (isExport && tokens[i - 1]?.text !== '.') links.use(text)
  }
  return join(tokens).trim()
}

function replaceTokens(tokens: readonly Token[], links: SerializerLinks): readonly Token[] {
  const replaced: Token[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token
    if (isLookup(tokens, i)) {
      const reference = JSON.parse((tokens[i + LOOKUP.length - 1] as Token).text) as string
      replaced.push({ ...token, kind: 'name', text: links.validator(reference) })
      i += LOOKUP_LENGTH - 1
    } else if (token.kind === 'name' && tokens[i - 1]?.text !== '.') {
      const text = token.text === 'asInteger' ? links.asInteger : CONSTANTS[token.text]
      replaced.push(text === undefined ? token : { ...token, text })
    } else if (token.kind === 'number' && isLongArrayTest(tokens, i)) {
      replaced.push({ ...token, text: longArray(tokens, i) })
    } else {
      replaced.push(token)
    }
  }
  return replaced
}

/** Removes the preamble, the declarations of validators and the final `return main`. */
function withoutFrame(tokens: readonly Token[]): readonly Token[] {
  let seen = ''
  let start = 0
  while (seen.length < PREAMBLE.length && start < tokens.length) seen += tokens[start++]?.text
  if (seen !== PREAMBLE) throw new UnknownCodeError()
  while (tokens[start]?.text === 'let' && /^validate_\d+$/.test(tokens[start + 1]?.text ?? '')) {
    start += 2
  }
  const end = tokens.length - 2
  if (tokens[end]?.text !== 'return' || tokens[end + 1]?.text !== 'main')
    throw new UnknownCodeError()
  return tokens.slice(start, end)
}

class UnknownCodeError extends Error {
  constructor() {
    super('fast-json-stringify generates code that this version of framework does not know')
  }
}

function isLookup(tokens: readonly Token[], at: number): boolean {
  return (
    tokens[at]?.text === '(' &&
    /^validate_\d+$/.test(tokens[at + 1]?.text ?? '') &&
    LOOKUP.every((text, i) => text === '' || tokens[at + i]?.text === text) &&
    tokens[at + LOOKUP.length - 1]?.kind === 'string'
  )
}

/** Matches `arrayLength >= 128 && Number.isInteger(`. */
function isLongArrayTest(tokens: readonly Token[], at: number): boolean {
  const [name, greater, equals, number, and, also, object, dot, method] = tokens
    .slice(at - 3, at + 6)
    .map(({ text }) => text)
  return (
    name?.startsWith('arrayLength') === true &&
    [greater, equals, and, also, object, dot, method].join('') === '>=&&Number.isInteger' &&
    number !== undefined
  )
}

/** Returns the constant for the kind of items, which the code after the test shows. */
function longArray(tokens: readonly Token[], at: number): string {
  for (let i = at; i < tokens.length; i++) {
    const { text } = tokens[i] as Token
    const isCondition = tokens[i - 1]?.text === '(' && tokens[i - 2]?.text === '!'
    const constant = LONG_ARRAYS[text]
    if (text === 'asPlainStringArray' || (isCondition && constant !== undefined)) {
      return constant as string
    }
  }
  throw new UnknownCodeError()
}
