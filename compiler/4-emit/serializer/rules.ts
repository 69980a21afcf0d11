/** Shortens code that fast-json-stringify writes out for each property to calls of functions. */
import type { RuleText } from '../text/rewrite.ts'
import { string } from '../../util/literal.ts'

const MISMATCH = /^"The value of '(.*)' does not match schema definition\."$/s
/** Names without escapes: the name is in a literal within a literal. */
const REQUIRED = /^'"([^"'\\]*)" is required!'$/

export const serializerRules: readonly RuleText[] = [
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
