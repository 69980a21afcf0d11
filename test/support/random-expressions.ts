/** Generates source text of expressions that build values from data, in all ways that JavaScript has. */
import fc from 'fast-check'

/** Variables that hold any value. */
export const name: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd')

export const key: fc.Arbitrary<string> = fc.constantFrom('type', 'x', 'y', 'z', '2', '10')

/** @param leaves further expressions without parts, such as conditions */
export function expressions(leaves: readonly string[] = []): Expressions {
  const literal = fc.oneof(
    fc.integer({ min: -5, max: 20 }).map(String),
    fc.constantFrom(...plain, ...leaves, ...leaves),
  )
  return fc.letrec((tie: fc.LetrecTypedTie<Parts>) => {
    const value = tie('expression')
    const object = tie('object')
    const list = tie('list')
    const text = tie('text')
    /** Fills in the blanks: `v`alue, `o`bject, `l`ist, `t`ext, `k`ey, `n`umber, each behind a `§`. */
    const blanks: Readonly<Record<string, fc.Arbitrary<string>>> = {
      v: value,
      o: object,
      l: list,
      t: text,
      k: key,
      n: fc.integer({ min: -2, max: 4 }).map(String),
    }
    const from = (templates: readonly string[]): fc.Arbitrary<string>[] =>
      templates.map((template) => {
        const [first = '', ...parts] = template.split('§')
        const filled = parts.map((part) => blanks[part[0] ?? ''] ?? fc.constant(''))
        return fc
          .tuple(...filled)
          .map((texts) =>
            [first, ...parts.map((part, index) => texts[index] + part.slice(1))].join(''),
          )
      })
    const size = { depthSize: 'small' as const, withCrossShrink: true }
    const members = fc
      .array(fc.tuple(key, value), { maxLength: 3 })
      .map((all) => `({ ${all.map(([k, v]) => `'${k}': ${v}`).join(', ')} })`)
    const items: fc.Arbitrary<string> = fc
      .array(value, { maxLength: 3 })
      .map((all) => `[${all.join(', ')}]`)
    return {
      expression: fc.oneof(size, literal, name, object, list, text, ...from(values)),
      object: fc.oneof(size, fc.constant('({})'), members, ...from(objects)),
      list: fc.oneof(size, fc.constant('[]'), items, ...from(lists)),
      text: fc.oneof(size, fc.constantFrom("'Text'", "'x,y'", "''"), ...from(texts)),
    }
  })
}

type Parts = Record<'expression' | 'object' | 'list' | 'text', string>

export type Expressions = { readonly [Key in keyof Parts]: fc.Arbitrary<string> }

const plain = ["'text'", "'a-b'", "''", '`tick`', 'true', 'false', 'null', 'undefined', '1.5']

const values = [
  '(§v ? §v : §v)',
  '((§v) && (§v))',
  '((§v) || (§v))',
  '((§v) ?? (§v))',
  '(§v === §v)',
  '(§v !== §v)',
  "(§o)?.['§k']",
  '(§o).x?.y',
  "(§o)['§k']?.length",
  '(§l)[§n]',
  '(§l).length',
  '(§l).at(§n)',
  'typeof (§v)',
  '!(§v)',
  '((§l).length + §n)',
  '(§t + (§l).length)',
  '((§l).length < §n)',
  '(-(§l).length)',
  "('§k' in §o)",
  "Object.hasOwn(§o, '§k')",
  "(§o).hasOwnProperty('§k')",
  'Array.isArray(§v)',
  '((p) => [p, p])(§v)',
  '((p = §v, q = p) => [p, q])(§v)',
  '((...all) => all)(...§l)',
  '(function () { return arguments.length })(...§l)',
  '((f) => f(f, 3))((f, n) => (n === 0 ? §v : [f(f, n - 1)]))',
  '(§l).includes(§v)',
  '(§l).indexOf(§v)',
  '(§l).find((one) => typeof one === typeof §v)',
  '(§l).findIndex((one) => one === §v)',
  '(§l).findLast((one) => typeof one === "string")',
  '(§l).some((one) => one === §v)',
  '(§l).every((one) => one !== §v)',
  '(§l).reduce((all, one) => [...all, one], [§v])',
  '(§l).reduceRight((all, one) => [...all, one], [])',
  '(§l).reduce((all, one, index) => all + index, §n)',
  'JSON.parse(JSON.stringify({ v: §v }))',
  'new Map(Object.entries(§o)).get("§k")',
  'new Map([[§v, 1], [§v, 2]]).get(§v)',
  'new Set(§l).has(§v)',
  'new Set(§l).size',
  '(() => { try { return (§v).x.y } catch { return §v } })()',
  '(() => { for (const one of §l) if (one === §v) return [one]; return §v })()',
  "(() => { const o = { ...§o }; delete o['§k']; return o })()",
  '({ f(p) { return [p, this.q] }, q: §v }).f?.(§v)',
  '[].concat(§v, §l)',
  '(§t).length',
  '(§t)[§n]',
  '(a, §v)',
]

const objects = [
  '({ ...§o, ...§o })',
  "({ ...§o, ['§k']: §v })",
  '({ ...(§v && §o), x: §v })',
  '({ ...§l })',
  '({ get x() { return §v }, y: §v })',
  '(({ "§k": taken, ...rest }) => rest)(§o)',
  '(({ x = §v, y: { z = §v, ...deep } = {}, ...rest } = {}) => ({ x, z, deep, rest }))(§o)',
  'Object.assign({}, §o, §o)',
  'Object.assign(§o, { x: §v })',
  'Object.fromEntries(Object.entries(§o).map(([k, v]) => [k + k, v]))',
  'Object.fromEntries(Object.entries(§o).filter(([, v]) => v))',
  'Object.fromEntries((§l).map((one, index) => [`k${index}`, one]))',
  'Object.fromEntries(new Map([["§k", §v], [§t, §v]]))',
  '(§l).reduce((all, one) => { (all[typeof one] ??= []).push(one); return all }, {})',
  '(§l).reduce((all, one) => ({ ...all, [String(one)]: typeof one }), §o)',
  "((o) => { o['§k'] = §v; return o })(§o)",
  "((o, p) => { for (const k in o) { if (p.includes(k)) continue; o[k] = [o[k]] } return o })(§o, ['§k'])",
  'structuredClone(§o)',
  'JSON.parse(JSON.stringify(§o))',
  'Object.freeze(§o)',
  '({ ...new (class { x = §v; static y = 1; z = this.x })() })',
]

const lists = [
  '[...§l, ...§l]',
  '[...(§v ? §l : []), §v]',
  '(§l).concat(§l)',
  'Object.keys(§o)',
  'Object.values(§o)',
  'Object.entries(§o)',
  '(§l).map((one, index) => [one, index, §v])',
  '(§l).map((one) => ({ one, v: §v }))',
  '(§l).filter(Boolean)',
  "(§l).filter((one) => typeof one === 'string')",
  '(§l).filter((one, index) => index !== §n)',
  '(§l).flat()',
  '(§l).flatMap((one) => [one, §v])',
  '(§l).flatMap((one) => (one ? §l : []))',
  '[...(§l)].reverse()',
  '(§l).slice(§n, §n)',
  '(§l).slice(§n)',
  '((l) => [l.splice(§n, §n, §v), l])([...§l])',
  '((l) => [l.pop(), l.shift(), l])([...§l])',
  '((l) => [l.push(§v), l.unshift(§v), l])([...§l])',
  '((l) => { l[§n + 2] = §v; return l })([...§l])',
  '((l) => { l.length = 1; return l })([1, §v, §v])',
  '(([first = §v, , ...rest]) => [first, rest])(§l)',
  '(§t).split("")',
  '(§t).split(",")',
  '[...§t]',
  '[...new Set(§l)]',
  '[...new Map(Object.entries(§o))]',
  '[...new Map(Object.entries(§o)).values()]',
  '[...(§l).entries()]',
  'Array.from(§l, (one) => typeof one)',
  'Array.from({ length: 3 }, (_, index) => [index, §v])',
  'Array.from(new Set(§l))',
  'new Array(2).fill(§v)',
  '[...§l].fill(§v, 1, §n)',
  '[...§l].map(String).sort()',
  '[...§l].map((one) => String(one).length).sort((x, y) => x - y)',
  '(§l).map((one) => typeof one).toSorted()',
  'Array.of(§v, §v)',
  '((parts, ...given) => [...parts, ...parts.raw, ...given])`\\t${§v}\\u0041`',
]

const texts = [
  '`<${String(typeof (§v))}>`',
  '(§t + §t)',
  '(§t).toUpperCase()',
  "(§t).replace('x', 'z')",
  "(§t).replaceAll('t', (found) => found + found)",
  '(§t).replace(/[a-z]/g, (one) => one.toUpperCase())',
  "(§t).padStart(3, '-')",
  '(§t).slice(§n)',
  '(§t).trim().charAt(0)',
  '(§t).repeat(2)',
  '[§t, §t].join("-")',
  "(§l).map((one) => typeof one).join('/')",
  'String(§v === null)',
  'JSON.stringify(§l)',
  'String.raw`^\\d+${§t}\\n$`',
]
