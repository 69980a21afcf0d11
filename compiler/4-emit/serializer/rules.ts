/** Shortens code that fast-json-stringify writes out for each property, and makes it the same on every release of Node. */
import type { RuleText } from '../text/rewrite.ts'
import { string } from '../../util/literal.ts'

const MISMATCH = /^"The value of '(.*)' does not match schema definition\."$/s
/** Names without escapes: the name is in a literal within a literal. */
const REQUIRED = /^'"([^"'\\]*)" is required!'$/

const copyItems = `{
  const copy = new Array($length)
  if (Array.prototype.toJSON !== undefined) Object.setPrototypeOf(copy, null)
  for (let i = 0; i < $length; i++) {
    const v = obj[i]
    if (!(`

/** Replace the lengths from which on arrays are serialized in another way: they depend on the release of Node that generates the code. */
const lengthRules = [
  ['LONG_STRING_ARRAY', '{ return asPlainStringArray'],
  ['LONG_STRING_ARRAY', '$plain = asPlainStringArray'],
  ['LONG_INTEGER_ARRAY', `${copyItems}Number`],
  ['LONG_NUMBER_ARRAY', `${copyItems}typeof`],
].map(([constant, then]): RuleText => {
  const code = (limit: string | undefined): string =>
    `if (typeof $length === 'number' && $length >= ${limit} && Number.isInteger($length) && $length <= 0xffffffff) ${then}`
  return { from: code('$limit'), to: code(constant) }
})

/**
 * Leave out members without JSON, as `JSON.stringify` does: functions, and objects whose `toJSON` returns undefined. In arrays and unions,
 * they are null.
 */
const withoutJsonRules: readonly RuleText[] = [
  ...['$start', '$isNext ? $comma : (($isNext = true), $start)'].flatMap((start): RuleText[] => {
    const member = (text: string, value: string): string =>
      `const $value = ${text}
        if ($value !== undefined) {
          json += ${start}
          json += ${value}`
    const added = `const text = JSON.stringify(value);
        if (text !== undefined) json += (${start}) + asString(key) + ":" + text`
    return [
      {
        from: member('$object[$name]', 'JSON.stringify($value)'),
        to: member('JSON.stringify($object[$name])', '$value'),
      },
      {
        from: `json += ${start} json += asString(key) + ":" json += JSON.stringify(value)`,
        to: added,
      },
      { from: `json += ${start} json += asString(key) + ":" + JSON.stringify(value)`, to: added },
    ]
  }),
  { from: 'json += JSON.stringify($$value)', to: 'json += JSON.stringify($$value) ?? "null"' },
]

export const serializerRules: readonly RuleText[] = [
  ...lengthRules,
  ...withoutJsonRules,
  {
    from: `if (typeof $value !== 'string') {
        if ($value === null) { json += '""' }
        else if ($value instanceof Date) { json += '"' + $value.toISOString() + '"' }
        else if ($value instanceof RegExp) { json += asString($value.source) }
        else { json += asString($value.toString()) }
      } else { json += asString($value) }`,
    to: 'json += asText($value);',
  },
  {
    from: 'new TypeError($message)',
    to: 'mismatch($path)',
    where: (found) => {
      const path = MISMATCH.exec(found('$message'))?.[1]
      return path === undefined ? undefined : { $path: string(JSON.parse(`"${path}"`) as string) }
    },
  },
  {
    from: 'new Error($message)',
    to: 'missing($name)',
    where: (found) => {
      const name = REQUIRED.exec(found('$message'))?.[1]
      return name === undefined ? undefined : { $name: string(name) }
    },
  },
]
