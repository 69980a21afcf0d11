/** What may be meant by words of a schema that mean nothing. */
import { closest } from '../report/closest.ts'

const keywords = [
  '$comment $defs $id $ref $schema additionalItems additionalProperties allOf anyOf const contains default definitions',
  'dependencies description discriminator else enum examples exclusiveMaximum exclusiveMinimum format if items maximum',
  'maxItems maxLength maxProperties minimum minItems minLength minProperties multipleOf not nullable oneOf pattern',
  'patternProperties properties propertyNames required then title type uniqueItems',
].flatMap((line) => line.split(' '))

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** `Did you mean "properties"?`, for what a compiler has said; `undefined` where nothing is near. @param value what the reason is about */
export function nearMissOf(reason: string, value: unknown): string | undefined {
  const keyword = /unknown keyword: "([^"]+)"/.exec(reason)?.[1]
  if (keyword !== undefined) return meant(closest(keyword, keywords))
  if (typeof value !== 'string' || !/\/type must be equal to one of/.test(reason)) return undefined
  return meant(closest(value, types)) ?? `There are the types ${types.join(', ')}.`
}

/** `Did you mean …?`, for names that are near. */
export function meant(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  return `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`
}
