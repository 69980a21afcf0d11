/** Random programs that build a value from data: what set-up code does, in all the ways that JavaScript has for it. */
import fc from 'fast-check'

const name = fc.constantFrom('a', 'b', 'c', 'd')
const key = fc.constantFrom('type', 'x', 'y', 'z', '2', '10')

const literal = fc.oneof(
  fc.integer({ min: -5, max: 20 }).map(String),
  fc.constantFrom("'text'", "'a-b'", "''", '`tick`', 'true', 'false', 'null', 'undefined', '1.5'),
)

/** Texts of expressions; `a` to `d` are variables that hold any value. */
const { expression } = fc.letrec<{
  expression: string
  object: string
  list: string
  text: string
}>((tie) => {
  const value = tie('expression')
  const object = tie('object')
  const list = tie('list')
  const text = tie('text')
  return {
    expression: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      literal,
      name,
      object,
      list,
      text,
      fc.tuple(value, value, value).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      fc
        .tuple(value, fc.constantFrom('&&', '||', '??'), value)
        .map(([l, op, r]) => `((${l}) ${op} (${r}))`),
      fc
        .tuple(value, fc.constantFrom('===', '!=='), value)
        .map(([l, op, r]) => `(${l} ${op} ${r})`),
      fc.tuple(object, key).map(([o, k]) => `(${o})?.[${JSON.stringify(k)}]`),
      fc.tuple(list, fc.nat(2)).map(([l, i]) => `(${l})[${i}]`),
      fc.tuple(list).map(([l]) => `(${l}).length`),
      value.map((v) => `typeof (${v})`),
      value.map((v) => `!(${v})`),
      value.map((v) => `((p) => [p, p])(${v})`),
      fc.tuple(list, value).map(([l, v]) => `(${l}).includes(${v})`),
      fc.tuple(list, value).map(([l, v]) => `(${l}).reduce((all, one) => [...all, one], [${v}])`),
      value.map((v) => `JSON.parse(JSON.stringify({ v: ${v} }))`),
    ),
    object: fc
      .oneof(
        { depthSize: 'medium' },
        fc.constant('{}'),
        fc
          .array(fc.tuple(key, value), { maxLength: 3 })
          .map((members) => `{ ${members.map(([k, v]) => `'${k}': ${v}`).join(', ')} }`),
        fc.tuple(object, object).map(([a, b]) => `{ ...${wrap(a)}, ...${wrap(b)} }`),
        fc.tuple(object, key, value).map(([o, k, v]) => `{ ...${wrap(o)}, ['${k}']: ${v} }`),
        fc
          .tuple(object, key)
          .map(([o, k]) => `(({ ${JSON.stringify(k)}: taken, ...rest }) => rest)(${o})`),
        fc.tuple(object, object).map(([a, b]) => `Object.assign({}, ${a}, ${b})`),
        object.map((o) => `Object.fromEntries(Object.entries(${o}).map(([k, v]) => [k + k, v]))`),
        object.map((o) => `structuredClone(${o})`),
      )
      .map(wrap),
    list: fc.oneof(
      { depthSize: 'medium' },
      fc.constant('[]'),
      fc.array(value, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      fc.tuple(list, list).map(([a, b]) => `[...${a}, ...${b}]`),
      fc.tuple(list, list).map(([a, b]) => `(${a}).concat(${b})`),
      object.map((o) => `Object.keys(${o})`),
      object.map((o) => `Object.values(${o})`),
      object.map((o) => `Object.entries(${o})`),
      fc.tuple(list, value).map(([l, v]) => `(${l}).map((one, index) => [one, index, ${v}])`),
      list.map((l) => `(${l}).filter(Boolean)`),
      list.map((l) => `(${l}).filter((one) => typeof one === 'string')`),
      list.map((l) => `(${l}).flat()`),
      list.map((l) => `[...(${l})].reverse()`),
      fc.tuple(list, fc.nat(2), fc.nat(3)).map(([l, from, to]) => `(${l}).slice(${from}, ${to})`),
      text.map((t) => `(${t}).split('')`),
      list.map((l) => `[...new Set(${l})]`),
      list.map((l) => `Array.from(${l}, (one) => typeof one)`),
    ),
    text: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom("'Text'", "'x,y'", "''"),
      value.map((v) => `\`<\${String(typeof (${v}))}>\``),
      fc.tuple(text, text).map(([a, b]) => `(${a} + ${b})`),
      text.map((t) => `(${t}).toUpperCase()`),
      text.map((t) => `(${t}).replace('x', 'z')`),
      text.map((t) => `(${t}).padStart(3, '-')`),
      text.map((t) => `(${t}).slice(1)`),
      list.map((l) => `(${l}).map((one) => typeof one).join('/')`),
    ),
  }
})

function wrap(text: string): string {
  return `(${text})`
}

/** A statement that changes the variables in one way or the other. */
const statement = fc.oneof(
  fc.tuple(name, expression).map(([n, v]) => `${n} = ${v}`),
  fc.tuple(name, key, expression).map(([n, k, v]) => `if (isObject(${n})) ${n}['${k}'] = ${v}`),
  fc.tuple(name, key).map(([n, k]) => `if (isObject(${n})) delete ${n}['${k}']`),
  fc
    .tuple(name, expression)
    .map(([n, v]) => `if (Array.isArray(${n}) && ${n}.length < 20) ${n}.push(${v})`),
  fc
    .tuple(name, expression)
    .map(
      ([n, v]) => `for (const one of [1, 2, 3]) { if (one === 2) continue; ${n} = [one, ${v}] }`,
    ),
  fc
    .tuple(name, name, expression)
    .map(
      ([n, o, v]) => `for (const k in isObject(${o}) ? ${o} : {}) { ${n} = { [k]: ${v} }; break }`,
    ),
  fc
    .tuple(name, expression, expression)
    .map(
      ([n, t, v]) =>
        `switch (${t}) { case 'text': case 1: ${n} = ${v}; break; case null: ${n} = 'null'; default: ${n} = [${n}] }`,
    ),
  fc
    .tuple(name, expression)
    .map(([n, v]) => `try { throw new Error('t') } catch { ${n} = ${v} } finally { count++ }`),
  fc
    .tuple(name, expression)
    .map(
      ([n, v]) =>
        `function f${'$'}(p, { x = 5, ...more } = {}, ...rest) { return { p, x, more, rest } } ${n} = f$(${v}, isObject(${n}) ? ${n} : undefined, 1, 2)`,
    ),
  fc.tuple(name, name).map(([n, o]) => `[${n}, ${o}] = [${o}, ${n}]`),
  fc.tuple(name, expression).map(([n, v]) => `${n} ??= ${v}`),
  fc
    .tuple(name, expression)
    .map(
      ([n, v]) =>
        `class C { #v = ${v}; static make() { return new C() } get v() { return this.#v } } ${n} = { v: C.make().v }`,
    ),
)

/** A program whose last line is the value that it makes. */
export const program: fc.Arbitrary<{ readonly setUp: string; readonly result: string }> = fc
  .tuple(
    fc.array(expression, { minLength: 4, maxLength: 4 }),
    fc.array(statement, { maxLength: 6 }),
    expression,
  )
  .map(([initial, statements, last]) => ({
    setUp: [
      "const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v)",
      'let count = 0',
      'let a = 1, b = null, c = {}, d = []',
      ...initial.map((value, index) => `${'abcd'[index]} = ${value}`),
      ...statements.map((text) => `{ ${text} }`),
    ].join('\n;'),
    result: `{ a, b, c, d, count, last: ${last} }`,
  }))

/** The flags that a conditional program asks; the environment sets them. */
export const flags = ['F1', 'F2'] as const

const flag = fc.constantFrom(...flags)

/** Statements that do something else under each flag. */
const conditional = fc.oneof(
  fc.tuple(flag, statement, statement).map(([f, s, t]) => `if (${f}) { ${s} } else { ${t} }`),
  fc.tuple(flag, statement).map(([f, s]) => `if (${f}) { ${s} }`),
  fc.tuple(flag, name, expression, expression).map(([f, n, v, w]) => `${n} = ${f} ? ${v} : ${w}`),
  fc.tuple(flag, name, expression).map(([f, n, v]) => `${n} = ${f} && ${v}`),
  fc.tuple(flag, name, expression).map(([f, n, v]) => `${n} = { ...(${f} && { x: ${v} }), y: 1 }`),
  fc
    .tuple(name, flag, expression, flag, expression, expression)
    .map(
      ([n, f, u, g, v, w]) =>
        `const pick = () => { if (${f}) return ${u}; if (!${g}) { return ${v} } return ${w} }; ${n} = pick()`,
    ),
  fc
    .tuple(flag, flag, statement, statement)
    .map(([f, g, s, t]) => `if (${f}) { if (${g}) { ${s} } } else if (${g}) { ${t} }`),
  fc
    .tuple(flag, name, expression)
    .map(([f, n, v]) => `for (const one of [1, 2]) { if (${f}) { ${n} = [one, ${v}] } }`),
)

/** A program whose value depends on the flags. */
export const conditionalProgram: fc.Arbitrary<{
  readonly setUp: string
  readonly result: string
}> = fc
  .tuple(program, fc.array(fc.oneof(conditional, statement), { minLength: 1, maxLength: 4 }))
  .map(([{ setUp, result }, statements]) => ({
    setUp: [setUp, ...statements.map((text) => `{ ${text} }`)].join('\n;'),
    result,
  }))
