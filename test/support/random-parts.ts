/** The parts of random schemas. */
import fc from 'fast-check'

/** Names that break code which doesn't escape them. */
export const KEYS: readonly string[] = [
  'a',
  'b',
  'c',
  'name',
  'x1',
  'a b',
  'a"b',
  "a'b",
  'a`${b}',
  'a\\b',
  'a/b~c',
  'a\nb',
  'a\u2028b',
  '*/',
  '</script>',
  'constructor',
  '__proto__',
  '\ud800',
  'é',
]

export const PATTERNS: readonly string[] = [
  '^a',
  '^[a-z]+$',
  '\\d',
  'b$',
  '^.{1,3}$',
  '\\p{L}',
  '/',
  '"',
  '^x',
  '\\p{Script=Greek}',
  '[\\u{1F600}-\\u{1F64F}]',
  '^(?<q>a)\\k<q>?',
  '^\\S{2,}$',
  '__proto__|^constructor$',
]

/** A `null` prototype would be lost on the way to another process. */
export const PLAIN: { readonly noNullPrototype: true } = { noNullPrototype: true }

/** A record whose fields are all optional and mostly absent. */
export function some(
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(fields)
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: Math.min(3, names.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, fields[name]])) as never, PLAIN),
    ) as fc.Arbitrary<Record<string, unknown>>
}
