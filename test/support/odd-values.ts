/** Values that servers often handle wrongly, by their place in a request. */

export const oddParams: readonly string[] = [
  'abc',
  '0',
  '-1',
  '1.5',
  '%20',
  'a%2Fb',
  '%E4%BD%A0',
  '%zz',
  'null',
  'x'.repeat(101),
  '',
]

export const oddQueryValues: readonly string[] = [
  '',
  'abc',
  '-1',
  '0',
  '1.5',
  'true',
  'null',
  '1e3',
  '%20',
  '%zz',
  'x'.repeat(70),
]

export const oddSearches: readonly string[] = [
  'surplus=1',
  '__proto__=1',
  '__proto__[x]=1',
  'constructor=1',
  'constructor.prototype=1',
  '&&=&',
  '?',
  '%ff=%fe',
  'a;b=c',
]

export const oddHeaderValues: readonly string[] = [
  '',
  'abc',
  '-1',
  '0',
  '1.5',
  'true',
  'null',
  'a, b',
  '1,2',
]

export const oddContentTypes: readonly string[] = [
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  'application/jsonp',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'json',
  '',
]

export const oddBodies: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '"text"',
  '[]',
  '{}',
  '{',
  '{"a":',
  '{"a":1}}',
  "{'a':1}",
  'text',
  '\uFEFF{"a":1}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"constructor":1}',
  '{"a":{"__proto__":1}}',
  '{"\\u005f_proto__":1}',
  `${'['.repeat(40)}${']'.repeat(40)}`,
]

export function oddValuesFor(value: unknown): readonly unknown[] {
  if (typeof value === 'string') {
    return [
      '',
      12,
      true,
      null,
      {},
      [],
      [value],
      [value, value],
      'x'.repeat(250),
      ' ',
      '✓ "\\\u2028',
    ]
  }
  if (typeof value === 'number') {
    return [String(value), 'abc', '', 1.5, -1, 0, null, true, [value], [], {}, 1e21]
  }
  if (typeof value === 'boolean') return ['true', 'false', 'yes', 0, 1, 2, null, []]
  if (Array.isArray(value)) {
    return [
      'abc',
      {},
      null,
      [],
      [null],
      [value],
      [...value, ...value, ...value, ...value],
      ...value.slice(0, 1),
    ]
  }
  return ['abc', [], null, {}, [value], 7, false]
}
