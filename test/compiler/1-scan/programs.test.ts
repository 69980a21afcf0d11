/** Random set-up code: the value that the scan computes is the one that running the code gives. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import {
  conditionalProgram,
  flaggedProgram,
  flags,
  program,
} from '../../support/random-programs.ts'
import type { Program } from '../../support/random-programs.ts'
import { runs } from '../../support/runs.ts'
import { canonical, scanProgram } from '../../support/scan-program.ts'
import { temporaryFolder } from '../../support/folders.ts'

/** Small programs that the scan once read wrong. `F1` and `F2` are conditions that it doesn't know. */
const trickyPrograms: readonly (readonly [setUp: string, result: string])[] = [
  ['const d = [1]; if (F1) d.push(undefined)', '{ const: d }'],
  [
    'const key = {}; const map = new WeakMap([[key, 1]])',
    '[map instanceof WeakMap, map instanceof Map, map.get(key)]',
  ],
  [
    'const bare = Object.create(null)',
    '["toString" in bare, typeof bare.toString, "toString" in {}, "Intl" in globalThis]',
  ],
  [
    'const copy = JSON.parse(JSON.stringify({ v: F1 }))',
    '[...new Set([typeof copy, "object", "type"])][1]',
  ],
  ['const set = new Set([F1 ? 1 : 2, 1, 2])', '{ list: [...set], size: set.size }'],
  [
    'const map = new Map([[F1 ? "a" : "b", 1]]); map.set("a", 2)',
    '{ a: map.get("a"), b: map.has("b"), size: map.size }',
  ],
  [
    'const set = new Set([[1].indexOf({ v: F1 } === 1 ? 1 : JSON.parse(JSON.stringify({ v: F1 })))]); set.delete(0); const a = []; set.forEach((one) => a.push(one))',
    '{ a }',
  ],
  ['', '[Error.stackTraceLimit === undefined]'],
  ['', '[Array[Symbol.species] === undefined]'],
  ['class E extends Error {}', '[Array.length, Map.name, Error.length, E.name, E.length]'],
  ['const set = new Set([NaN, NaN, 0, -0])', '[...set].length'],
  ['const o = { x: 1 }; if (F1) Object.freeze(o); try { o.x = 2 } catch {}', 'o'],
  ['const l = Object.seal([1]); l[0] = 2; try { l.pop() } catch { l.reverse() }', 'l'],
  ['const set = new Set([1]); set.clear(); set.add(3)', '[...set]'],
  [
    'const a = { x: 1 }; const f = () => { if (F1) return 1; a.x = 5; return 2 }; const r = f()',
    '{ a, r }',
  ],
  ['let n = 0; for (const x of [1, 2, 3]) { if (F1 && x === 2) break; n = x }', '{ n }'],
  ['let n = 0; for (const x of [1, 2, 3]) { if (F1) continue; n += x }', '{ n }'],
  ['let n = 0; try { n = 1; if (F1) throw new Error("x"); n = 2 } catch { n += 10 }', '{ n }'],
  ['const f = (n) => { for (;;) { if (F1) return n; if (n > 3) return -1; n++ } }', 'f(0)'],
  [
    'let s = ""; switch (F1 ? 1 : 2) { case 1: s += "A"; case 2: s += "B"; break; default: s = 1 }',
    '{ s }',
  ],
  ['function* g() { yield 1; if (F1) yield 2; yield 3 }', '[...g()]'],
  ['const o = { a: 1 }; if (F1) o.b = 2', '["b" in o, Object.hasOwn(o, "b")]'],
  ['const l = []; l[2] = 0', '[l.map(() => 1), [...l], Object.keys(l), l.length]'],
  ['const l = [3, 1, 2].slice(F1 ? 1 : 0)', '[l, [0, 0, 0].fill(1, 1, 2)]'],
  ['let a, b, c; [a, ...b] = [1, 2, 3]; ({ x: a = 4, ...c } = { y: 5 })', '{ a, b, c }'],
  ['{ var late = 1 }', '{ late }'],
  ['', '[[null, undefined, 1].join("-"), [1, 2].reduceRight((all, one, i) => all + i, 0)]'],
  [
    'const list = [1]; if (F1) list.push(2); const f = (...l) => l.length; const into = [0]',
    '[function () { return arguments.length }(...Array.of(1, F2)), f(...list), Array.of(...list).length, [9].concat(...list)]',
  ],
  [
    'const list = [1]; if (F1) list.push(2); const into = [0]; into.push(...list)',
    '[into.length, ((a, b) => b ?? 3)(...list)]',
  ],
  [
    'const list = [1]; if (F1) list.push(2); const into = [0, 5]; into.splice(0, 1, ...list)',
    'into',
  ],
  [
    'class A {} class B extends A {} class M extends Map {} class E extends TypeError {} function F() {} const made = new F()',
    '[new B() instanceof A, new A() instanceof B, made instanceof F, new M() instanceof Map, new M() instanceof Set, new E() instanceof Error, new E() instanceof RangeError, [] instanceof Object, Object.create(null) instanceof Object, B instanceof Function, new A() instanceof RegExp, Object.getPrototypeOf(new TypeError("")) === TypeError.prototype]',
  ],
  [
    'const o = { ..."b".match(/(?<b>b)/).groups, ...(F1 ? { a: 1 } : {}) }',
    '[Object.keys(o), Object.getOwnPropertyNames(o)]',
  ],
  [
    'const o = { ..."b".match(/(?<b>b)/).groups, c: 1, 3: 1 }; class K { static b = 1; static 3 = 1; static m() {} }',
    '[Object.keys(o), Object.keys(K), Object.getOwnPropertyNames(K)]',
  ],
  [
    'class K {} function f() {} const g = () => 1; if (F1) { K.a = 1; f.a = 1 }',
    '[{ ...K }, Object.keys(f), Object.hasOwn(f, "name"), Object.hasOwn(g, "prototype")]',
  ],
  ['', '[Object.keys("a😀"), Object.entries("😀"), { ..."😀" }, Object.hasOwn("a", "length")]'],
  [
    '',
    '[["", "0x0", "00", "-0", "0", "length", "a"].map((key) => [key in ["a"], Object.hasOwn(["a"], key)]), ["a"][""], ["a"]["00"]]',
  ],
  [
    'const l = Object.assign([1], { a: 1 }); l[-1] = 2; l["01"] = 3; delete l["00"]; const names = []; for (const k in l) names.push(k)',
    '[l, names, Object.entries(l), Object.getOwnPropertyNames(l), { ...l }, Object.getOwnPropertyDescriptor(l, 0)]',
  ],
  [
    'let n = 0; const o = { get x() { n++; return 1 } }; Object.keys(o); for (const k in o); Object.getOwnPropertyNames(o)',
    '[n]',
  ],
  [
    'const s = Symbol("s"); const o = { [s]: 1, "Symbol(t)": 1 }',
    '[s in o, Object.hasOwn(o, s), Symbol("t") in o, "Symbol(s)" in o]',
  ],
  [
    'const o = { a: 1, get b() { return 2 } }; const define = (key, parts) => Object.defineProperty(o, key, parts); define("a", { enumerable: false }); define("b", { set(v) {} }); const l = Object.defineProperty([1], "g", { get: () => 7 })',
    '[o.a, o.b, Object.keys(o), l.g, Object.keys(l)]',
  ],
  [
    'const o = { a: 1, b: 2 }; if (F1) Object.defineProperty(o, "a", { get: () => 2 }); if (F2) Object.defineProperty(o, "b", { enumerable: false })',
    '[{ ...o }, o.a]',
  ],
  [
    'class A { static x = 1 } class B extends A { static y = 2 } const o = Object.create({ a: 1, b: 1 }); Object.defineProperty(o, "a", { value: 1 }); const names = []; for (const k in B) names.push(k); for (const k in o) names.push(k)',
    'names',
  ],
  ['const l = []; if (F1) l.push(1); l.push(2)', '{ ...l }'],
  [
    '',
    '[structuredClone(Object.assign([1], { a: 1 })).a, [1].propertyIsEnumerable(0), ({}).propertyIsEnumerable("a")]',
  ],
  [
    'const l = [1, 2, 3]; const names = []; for (const i in l) { names.push(i); if (i === "0") l.pop() }',
    'names',
  ],
  ['const l = [1]; if (F1) l.x = 1', '["x" in l, Object.hasOwn(l, "x")]'],
  ['', '[[] == false, [1, 2] == "1,2", [] != "", "1" == 1, [] == null]'],
  ['', 'JSON.parse("[1, 2]", (key, one) => (key === "0" ? 9 : one))'],
  [
    'class K { constructor(a, b) {} } const o = Object.defineProperty({ a: 1, [Symbol.for("s")]: 2 }, "h", { value: 3 }); const c = structuredClone(o)',
    '[((a, b = 1, ...c) => 1).length, ((...a) => 1).length, K.length, (function (a, b) {}).bind(null, 1).length, c.h ?? null, c[Symbol.for("s")] ?? null]',
  ],
  [
    'const l = ["a"]; const it = l.values(); l.push("b"); const m = new Map([["a", 1], ["b", 2]]); const pairs = m.entries(); pairs.next(); m.delete("a"); m.set("b", 3).set("c", 4)',
    '[[...it], [...pairs], (l.push("c"), [...it]), [...l.keys()]]',
  ],
  [
    'const l = [1]; if (F1) l.push(2); const it = l.values(); const first = it.next().value; l.push(3); const [x, y = 0] = l.entries(); const late = l.values(); if (F2) l.push(4)',
    '[first, [...it], x, y]',
  ],
  ['const l = [1]; const it = l.values(); if (F1) l.push(2)', '[...it]'],
  ['const l = [1, 2]; const it = l.values(); if (F1) it.next(); l.push(3)', '[...it]'],
  [
    'const l = [1]; const it = l.values(); l.push(2)',
    '[Array.from(Reflect.construct(Set, [it])), structuredClone(new Set(l.values()))]',
  ],
  [
    'class A { constructor() { if (new.target === A) throw 1; this.n = new.target.name } } class B extends A {} function F(a) { if (!new.target) return new F(a); this.a = a } const G = F.bind({}, 3)',
    '[new B().n, F(1).a, new F(2).a, new G().a]',
  ],
  [
    'let s = "5", n = 1n, i = 0; const old = s++; n++; const l = [1, 2]; l[i++] += 5; (l[i++])++; const m = []; m[i++] = i',
    '[s, old, String(n), l, m, i]',
  ],
  [
    'const huge = new Array(2 ** 32 - 1); huge[2 ** 31] = huge; const thrown = []; for (const run of [() => 1n + 1, () => +1n, () => -Symbol(), () => new Array(2 ** 32)]) try { run() } catch (error) { thrown.push(error.name) }',
    'thrown',
  ],
  ['const n = F1 ? 1 : "2"', '[-n, +n, ~n]'],
  [
    'const f = function (a, b) { return this.a }; const g = f.bind({ a: 1 }).bind({ a: 2 }, 0); f.own = 1; class A { constructor(...given) { this.given = given } } const B = A.bind(null, 1)',
    '[g(), g.own === undefined, new B(2).given, [1, 1].lastIndexOf(1), [1, 1].lastIndexOf(1, undefined)]',
  ],
  ['', '["{v}/x".replace("{v}", () => (F1 ? "a" : "b")), "x".replace("x", () => [1, 2])]'],
  [
    'const list = [1]; if (F1) list.push(2); const f = (a, b) => b ?? 3',
    '[f.apply(null, list), Reflect.apply(f, null, list)]',
  ],
  [
    '',
    '[Reflect.ownKeys(Object.freeze({ a: 1 })).length, Object.getOwnPropertySymbols(Object.freeze([])).length]',
  ],
  [
    'const ids = Array.from({ length: 3000 }, (_, i) => i); const objects = ids.map((id) => ({ id }))',
    '[new Set(ids).size, ids.includes(2999), objects.find(({ id }) => id === 2999).id, objects.indexOf(objects[2999])]',
  ],
  [
    'const it = [1, 2][Symbol.iterator](); it.next()',
    '[[...it], ...[[], new Set(), {}].map((one) => typeof one[Symbol.iterator]), [...new Map([[1, 2]])[Symbol.iterator]()]]',
  ],
  [
    'const s = Symbol("s"); const { [s]: one, ...rest } = { [s]: 1, a: 2 }; class A { #x = 1; has(o) { return #x in o } }',
    '[one, rest, Object.getOwnPropertySymbols(rest).length, new A().has(new A()), new A().has({})]',
  ],
  [
    'const o = Object.create({ a: 1 }); const p = Object.create({ a: 1 }); const q = Object.create({ a: 1 }); if (F1) { Object.setPrototypeOf(o, { a: 2 }); p.__proto__ = { a: 2 } }',
    '[F1 ? o.a : 0, p.a, q.a]',
  ],
  ['const o = { n: 1, get a() { return this.n } }; const c = structuredClone(o); c.n = 2', 'c'],
  [
    'const l = []; new Map([[1, 2]]).forEach(function (v) { l.push(this.k) }, { k: 7 })',
    '[l, Symbol().toString()]',
  ],
  [
    'const title = F1 ? "a" : "b"',
    '{ const: { title }, properties: { properties: { enum: [{ tags: [title] }] } } }',
  ],
]

const dir = temporaryFolder({ after })

/** Runs the program and returns its result as JSON; `undefined` when it throws. */
function run(setUp: string, result: string, set: readonly string[]): string | undefined {
  const environment = Object.fromEntries(flags.map((flag) => [flag, set.includes(flag)]))
  try {
    const text = `'use strict';${setUp}\n;JSON.stringify(${result})`
    return runInNewContext(text, { structuredClone, ...environment }) as string
  } catch {
    return undefined
  }
}

/** The declarations of the flags, as the scan can't know them. */
const head = flags.map((flag) => `const ${flag} = process.env.${flag} === 'yes'`)

test('computes what the program computes', async () => {
  const count = { all: 0, exact: 0 }
  const property = fc.asyncProperty(program, async ({ setUp, result }) => {
    const expected = run(setUp, result, [])
    if (expected === undefined) return
    const { values, diagnostics } = await scanProgram(dir, head, { setUp, result })
    count.all++
    // Unknown values must be reported.
    if (diagnostics.length > 0) return
    assert.ok(values.includes(expected), `${expected} is not ${values.join(' or ')}`)
    if (values.length === 1) count.exact++
  })
  await fc.assert(property, runs(20))
  assert.ok(count.exact >= count.all * 0.9, `${count.exact} of ${count.all} are exact`)
})

interface Count {
  all: number
  exact: number
}

/** Compares a program under every outcome of its conditions. Unknown values must be reported. */
async function compare({ setUp, result }: Program, count: Count): Promise<void> {
  const outcomes = [[], ['F1'], ['F2'], ['F1', 'F2']].map((set) => run(setUp, result, set))
  // An outcome that throws has no value.
  const expected = new Set(outcomes.filter((one) => one !== undefined).map(canonical))
  if (expected.size === 0) return
  const { values, diagnostics } = await scanProgram(dir, head, { setUp, result })
  count.all++
  if (diagnostics.length > 0) return
  // The order of members that may be missing is not kept in all cases.
  const found = new Set(values.map(canonical))
  for (const outcome of expected) assert.ok(found.has(outcome), `${outcome} of ${setUp}`)
  if (found.size === expected.size) count.exact++
}

test('finds or reports every outcome of tricky programs', async () => {
  const count = { all: 0, exact: 0 }
  for (const [setUp, result] of trickyPrograms) await compare({ setUp, result }, count)
  assert.equal(count.all, trickyPrograms.length)
})

for (const [title, programs, share] of [
  ['in its statements', conditionalProgram, 0.8],
  ['in its expressions', flaggedProgram, 0.7],
] as const) {
  test(`finds what the program computes under every outcome of the conditions ${title}`, async () => {
    const count = { all: 0, exact: 0 }
    const property = fc.asyncProperty(programs, (one) => compare(one, count))
    await fc.assert(property, runs(30))
    // A superset of the outcomes is allowed, and should be the exception.
    assert.ok(count.exact >= count.all * share, `${count.exact} of ${count.all} are exact`)
  })
}
