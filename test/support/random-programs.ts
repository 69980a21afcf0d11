/** Generates random programs that build a value from data, as set-up code does. */
import fc from 'fast-check'
import { expressions, key, name, type Expressions } from './random-expressions.ts'

/** The flags that a conditional program reads; the environment sets them. */
export const flags = ['F1', 'F2'] as const

const flag = fc.constantFrom(...flags)

/** Statements that change the variables, made of texts with blanks. */
export function statements(
  { expression, list, object }: Expressions,
  texts: readonly string[] = templates,
): fc.Arbitrary<string> {
  const number = fc.integer({ min: -2, max: 4 }).map(String)
  const blanks: Readonly<Record<string, fc.Arbitrary<string>>> = {
    a: name,
    b: name,
    k: key,
    v: expression,
    w: expression,
    l: list,
    o: object,
    n: number,
  }
  const written = texts.map((template) => {
    const used = Object.keys(blanks).filter((blank) => template.includes(`§${blank}`))
    return fc
      .tuple(...used.map((blank) => blanks[blank] as fc.Arbitrary<string>))
      .map((filled) =>
        used.reduce(
          (text, blank, index) => text.replaceAll(`§${blank}`, () => filled[index] ?? ''),
          template,
        ),
      )
  })
  return fc.oneof(...written)
}

/** Statements with blanks, such as `§a`. A blank that occurs twice is filled with the same text. */
const templates = [
  '§a = §v',
  "if (isObject(§a)) §a['§k'] = §v",
  "if (isObject(§a)) delete §a['§k']",
  'if (Array.isArray(§a) && §a.length < 20) §a.push(§v)',
  'if (Array.isArray(§a)) §a.splice(§n, 1, §v)',
  'if (§v === §w) §a = §v; else if (§w) { §b = §w }',
  'for (const one of [1, 2, 3]) { if (one === 2) continue; §a = [one, §v] }',
  'for (const k in isObject(§b) ? §b : {}) { §a = { [k]: §v }; break }',
  'for (const [k, v] of Object.entries(§o)) { if (k === "§k") break; §a = { [k]: v } }',
  'for (const [index, one] of (§l).entries()) { §a = [index, one] }',
  'outer: for (const x of §l) { for (const y of §l) { if (x === §v) continue outer; if (y === §w) break outer; §a = [x, y] } }',
  'block: { §a = §v; if (§a === §w) break block; §b = §w }',
  'let i = 0; while (i < 4) { i++; if (i === §n) continue; if (§v && i > 2) break; §a = [i, §a].slice(0, 1) }',
  'let i = 0; do { §a = [i, §v] } while (++i < §n)',
  'const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); §a = fs.map((f) => f())',
  'const fs = []; for (var i = 0; i < 2; i++) { let j = i; fs.push(() => [i, j++]) } §a = fs.map((f) => [f(), f()])',
  "switch (§v) { case 'text': case 1: §a = §w; break; case null: §a = 'null'; default: §a = [§a] }",
  'switch (typeof (§v)) { default: §a = 0; case "string": §b = §w; break; case "object": §a = 1; break }',
  'switch (true) { case §v: §a = 1; break; case §w: §a = 2 }',
  "try { throw new Error('t') } catch { §a = §v } finally { count++ }",
  "try { §a = §v; if (§w) throw new Error('t'); §b = 1 } catch (e) { §b = e.message } finally { count += 2 }",
  'const f = () => { try { if (§v) return 1; throw §w } catch (e) { return [e] } finally { count++ } }; §a = f()',
  'const check = (p) => { if (p === §v) throw new Error("same"); return p }; try { §a = check(§w); §b = 1 } catch (e) { §b = e.message }',
  'const f = (p, { x = 5, ...more } = {}, ...rest) => ({ p, x, more, rest }); §a = f(§v, isObject(§a) ? §a : undefined, 1, 2)',
  'const f = (p = §v, q = [p]) => [p, q]; §a = f(§w === 1 ? undefined : §w)',
  'const f = (p) => { if (p === §v) return "first"; for (const one of §l) { if (one === p) return [one] } count++ }; §a = f(§w)',
  "const set = (o, v) => { if (isObject(o)) o['§k'] = v; return o }; §a = set(§o, §v); §b = { shared: §a }; set(§a, §w)",
  '§b = [§a]; if (isObject(§a)) §a.late = §v',
  'const copy = isObject(§a) ? { ...§a } : []; §b = copy; if (isObject(§a)) §a.late = §v',
  '[§a, §b] = [§b, §a]',
  '[§a, ...c] = §l',
  '[§a = §v, { x: §b = §w } = {}] = [undefined, §o]',
  "({ '§k': §a = §v, ...d } = §o)",
  "const k = '§k'; const { [k]: picked = §v, ...others } = §o; §a = [picked, others]",
  '§a ??= §v',
  '§a ||= §v',
  '§a &&= §v',
  'if (isObject(§a)) { §a.x ??= §v; §a.y ||= §w }',
  'if (typeof §a === "number") { §a += §n; §a++ } else if (typeof §a === "string") §a += "s"',
  'class C { #v = §v; static make() { return new C() } get v() { return this.#v } } §a = { v: C.make().v }',
  'class A { static all = []; constructor(v) { A.all.push(v); this.v = v } get both() { return [this.v, this.own()] } own() { return "A" } } class B extends A { constructor(v) { super([v]); this.w = §w } own() { return ["B", super.own()] } } §a = { ...new B(§v), both: new B(§w).both, all: A.all.length }',
  'class C { set x(v) { this._x = [v] } get x() { return this._x } toJSON() { return { json: this.x } } } const c1 = new C(); c1.x = §v; §a = JSON.parse(JSON.stringify({ c1 }))',
  'function* g(n) { yield §v; if (n > 0) yield* g(n - 1); return 1 } §a = [...g(2)]',
  'const map = new Map(); for (const one of §l) map.set(typeof one, [...(map.get(typeof one) ?? []), one]); §a = Object.fromEntries(map)',
  'const set = new Set(§l); set.add(§v); set.delete(§w); §a = []; set.forEach((one) => §a.push(one))',
  'const flat = (v) => (Array.isArray(v) ? v.flatMap(flat) : isObject(v) ? Object.values(v).flatMap(flat) : [v]); §a = flat(§v)',
  'const walk = (v) => { if (Array.isArray(v)) return v.map(walk); if (!isObject(v)) return typeof v; const made = {}; for (const k of Object.keys(v)) made[k] = walk(v[k]); return made }; §a = walk(§v)',
  'const o = { n: 0, next() { return ++this.n }, get twice() { return this.n * 2 } }; o.next(); if (§v) o.next(); §a = [o.n, o.twice]',
  'const f = function () { return [this?.x, ...arguments] }; §a = [f.call({ x: §v }, 1), f.apply({ x: 2 }, §l), f.bind({ x: 3 }, 4)(§w)]',
  'const memo = {}; const f = (k) => (memo[k] ??= { k }); §a = f("§k"); f("§k").v = §v',
  'var hoisted = later(); function later() { return typeof late } var late = §v; §a = [hoisted, late]',
  'const list = []; for (const one of §l) { if (!one) continue; list.push(one); if (list.length > 1) break } §a = list',
  'let found; for (const one of §l) { if (typeof one === typeof §v) { found = one; break } } §a = found ?? §w',
  'const text = []; for (const one of "abc") { if (one === "b" && §v) continue; text.push(one) } §a = text.join("")',
  'const o = Object.create({ inherited: §v }); o.own = §w; §a = [o.inherited, o.own, "inherited" in o, Object.keys(o)]',
  'const o = {}; Object.defineProperty(o, "hidden", { value: §v }); Object.assign(o, { x: §w }); §a = [o.hidden, Object.keys(o)]',
  'const list = [...§l]; const it = list.values(); list.push(1); §a = [[...it], [...it]]',
  'const it = (§l).entries(); for (const [i] of it) { if (i === 1) break } §a = [...it]',
  'function* g() { yield 1; yield §v; yield 3 } const it = g(); const [first] = it; §a = [first, ...it]',
  'function* g() { yield* §l; yield §v } const it = g(); const kept = []; for (const one of it) { if (one === §w) break; kept.push(one) } §a = [kept, it.next().done]',
  'const map = new Map(Object.entries(§o)); const it = map.keys(); it.next(); map.delete("x"); map.set("x", 1); let x; [x, ...§b] = it; §a = [x, it.next()]',
  'const all = new Set(§l).values(); §a = [Array.from(all), all.next(), [...all].length]',
  'const list = [...§l]; let n = 0; for (const one of list) { if (n++ < 3) list.push([n]); if (one === §v) list.shift() } §a = list',
  'const list = [...§l, §v]; list.forEach((one, i) => { if (i < 2) list.push(i); else list.pop() }); §a = list',
  'const list = [1, ...§l, §v]; §a = list.reduce((all, one) => { list.pop(); return [...all, one] }, []); §b = list.some((one) => { list.length = 1; return one === §w })',
  'const set = new Set(§l); let n = 0; for (const one of set) { set.delete(one); if (n++ < 4) set.add([n]) } §a = [...set, n]',
  'const map = new Map(Object.entries(§o)); map.forEach((v, k) => { if (k.length < 3) { map.delete(k); map.set(k + "!", v) } }); §a = [...map]',
  'const o = { ...§o, x: 1, y: 2 }; const seen = []; for (const k in o) { delete o.y; delete o["§k"]; seen.push(k) } §a = seen',
  'const o = Object.freeze({ ...§o }); §a = [o, { ...o, x: §v }]',
  'const l = Object.freeze([...§l]); §a = [l, l.slice(§n)]',
  'const o = Object.create(null); o.x = §v; §a = [o instanceof Object, Object.create({ ...§o }) instanceof Object, Object.create(o) instanceof Object, o.toString === undefined]',
  'const l = [...§l, 1]; delete l[0]; §a = [l, l.length, 0 in l]',
]

/** @param last further members of the value */
export function programs(
  parts: Expressions,
  one: fc.Arbitrary<string> = statements(parts),
  last = '',
): fc.Arbitrary<Program> {
  return fc
    .tuple(
      fc.array(parts.expression, { minLength: 4, maxLength: 4 }),
      fc.array(one, { maxLength: 6 }),
      parts.expression,
    )
    .map(([initial, all, value]) => ({
      setUp: [
        "const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v)",
        'let count = 0',
        'let a = 1, b = null, c = {}, d = []',
        ...initial.map((value, index) => `${'abcd'[index]} = ${value}`),
        ...all.map((text) => `{ ${text} }`),
      ].join('\n;'),
      result: `{ a, b, c, d, count, last: ${value}${last} }`,
    }))
}

export interface Program {
  readonly setUp: string
  /** The expression of the value that the program builds. */
  readonly result: string
}

const known = expressions()

export const program: fc.Arbitrary<Program> = programs(known)

/** Statements whose effect depends on a flag. */
function conditional(parts: Expressions): fc.Arbitrary<string> {
  const statement = statements(parts)
  const { expression } = parts
  return fc.oneof(
    fc.tuple(flag, statement, statement).map(([f, s, t]) => `if (${f}) { ${s} } else { ${t} }`),
    fc.tuple(flag, statement).map(([f, s]) => `if (${f}) { ${s} }`),
    fc.tuple(flag, name, expression, expression).map(([f, n, v, w]) => `${n} = ${f} ? ${v} : ${w}`),
    fc.tuple(flag, name, expression).map(([f, n, v]) => `${n} = ${f} && ${v}`),
    fc
      .tuple(flag, name, expression)
      .map(([f, n, v]) => `${n} = { ...(${f} && { x: ${v} }), y: 1 }`),
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
      .tuple(flag, statement, statement)
      .map(([f, s, t]) => `const run = () => { { ${s} } if (${f}) return; { ${t} } }; run()`),
    fc
      .tuple(flag, flag, statement)
      .map(
        ([f, g, s]) =>
          `for (const one of [1, 2, 3]) { if (${f}) continue; if (${g} && one > 1) break; ${s} }`,
      ),
    fc
      .tuple(flag, statement, statement)
      .map(([f, s, t]) => `try { { ${s} } if (${f}) throw new Error('f') } catch { ${t} }`),
  )
}

/** Programs whose value depends on the flags, which statements read. */
export const conditionalProgram: fc.Arbitrary<Program> = programs(
  known,
  fc.oneof(statements(known), conditional(known)),
)

/** Programs whose value depends on the flags, which any expression may read. */
export const flaggedProgram: fc.Arbitrary<Program> = programs(
  expressions(['F1', 'F2', "(F1 ? 'x' : 'y')", '(F2 ? 1 : undefined)', '(F1 && F2)']),
)
