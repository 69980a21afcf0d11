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
    from: `{
        const copy = new Array($length)
        if (Array.prototype.toJSON !== undefined) Object.setPrototypeOf(copy, null)
        for (let i = 0; i < $length; i++) {
          const v = obj[i]
          if (!($$isPlain)) {
            copy.length = i
            json = JSON.stringify(copy).slice(0, -1)
            if (i > 0) json += ","
            json += $asItem(v)
            for (i++; i < $length; i++) { json += "," const v = obj[i] json += $asItem(v) }
            return json + "]"
          }
          copy[i] = v
        }
        return JSON.stringify(copy)
      }`,
    to: 'return asPlainArray(obj, $length, $asItem);',
  },
  {
    from: `typeof $length === 'number' && $length >= $limit && Number.isInteger($length)
      && $length <= 0xffffffff`,
    to: '$length >= $limit',
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
