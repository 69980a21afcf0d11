/**
 * Links the code that fast-json-stringify 7.3.6 generates: removes its preamble, and refers to `framework/internal` and to linked
 * validators.
 */
import * as generated from '../../../runtime/generated/index.ts'
import { createRules, rewrite, type Rules } from '../text/rewrite.ts'
import { join, tokenize, type Token } from '../text/tokens.ts'

/** The constants that the preamble defines. `JSON_STR_NULL` is its last one. */
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

export interface SerializerLinks {
  /** The export of `framework/internal` that rounds. */
  readonly asInteger: string
  /** Returns the name of the validator for a reference. */
  validator(reference: string): string
  /** Is called with each import from `framework/internal`. */
  use(name: string): void
}

/** Returns statements that define `main`. @param rules adapt the code to the version that serializers behave like */
export function linkSerializer(code: string, rules: Rules, links: SerializerLinks): string {
  const validatorLookup = {
    from: '($v || ($v = validator.getSchemaValidator($reference)))',
    to: '$name',
    where: (found: (capture: string) => string) => {
      return { $name: links.validator(JSON.parse(found('$reference')) as string) }
    },
  }
  const linked = rewrite(withoutFrame(tokenize(code)), createRules([validatorLookup]))
  const named = linked.map((token, i) => {
    const text = token.text === 'asInteger' ? links.asInteger : CONSTANTS[token.text]
    return text === undefined || isMember(linked, i) ? token : { ...token, text }
  })
  const tokens = rewrite(named, rules)
  tokens.forEach(({ text }, i) => {
    if (Object.hasOwn(generated, text) && !isMember(tokens, i)) links.use(text)
  })
  return join(tokens).trim()
}

/** Returns whether a token is the name of a property after a dot, which may be any word. */
function isMember(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.text === '.'
}

/** Removes the preamble, the declarations of validators and the final `return main`. */
function withoutFrame(tokens: readonly Token[]): readonly Token[] {
  const lastConstant = tokens.findIndex(({ text }) => text === 'JSON_STR_NULL')
  if (lastConstant === -1 || tokens.at(-2)?.text !== 'return')
    throw new Error(
      'fast-json-stringify generates code that this version of framework does not know',
    )
  // After `JSON_STR_NULL = 'null'` come declarations such as `let validate_0`, without semicolons.
  let start = lastConstant + 3
  while (tokens[start]?.text === 'let') start += 2
  return tokens.slice(start, -2)
}
