export interface Program {
  readonly setUp: string
  readonly result: string
}

/** Small programs that a scan has once read wrong; `F1` and `F2` are conditions that it does not know. */
export const trickyPrograms: readonly Program[] = [
  {
    setUp: 'const key = {}; const map = new WeakMap([[key, 1]])',
    result: '[map instanceof WeakMap, map instanceof Map, map.get(key)]',
  },
  {
    setUp: 'const bare = Object.create(null)',
    result: '["toString" in bare, typeof bare.toString, "toString" in {}]',
  },
  {
    setUp: 'const copy = JSON.parse(JSON.stringify({ v: F1 }))',
    result: '[...new Set([typeof copy, "object", "type"])][1]',
  },
  {
    setUp: 'const set = new Set([F1 ? 1 : 2, 1, 2])',
    result: '{ list: [...set], size: set.size }',
  },
  {
    setUp: 'const map = new Map([[F1 ? "a" : "b", 1]]); map.set("a", 2)',
    result: '{ a: map.get("a"), b: map.has("b"), size: map.size }',
  },
  {
    setUp:
      'const set = new Set([[1].indexOf({ v: F1 } === 1 ? 1 : JSON.parse(JSON.stringify({ v: F1 })))]); set.delete(0); const a = []; set.forEach((one) => a.push(one))',
    result: '{ a }',
  },
  { setUp: 'const set = new Set([NaN, NaN, 0, -0])', result: '[...set].length' },
  { setUp: 'const set = new Set([1]); set.clear(); set.add(3)', result: '[...set]' },
  {
    setUp:
      'const a = { x: 1 }; const f = () => { if (F1) return 1; a.x = 5; return 2 }; const r = f()',
    result: '{ a, r }',
  },
  {
    setUp: 'let n = 0; for (const x of [1, 2, 3]) { if (F1 && x === 2) break; n = x }',
    result: '{ n }',
  },
  { setUp: 'let n = 0; for (const x of [1, 2, 3]) { if (F1) continue; n += x }', result: '{ n }' },
  {
    setUp: 'let n = 0; try { n = 1; if (F1) throw new Error("x"); n = 2 } catch { n += 10 }',
    result: '{ n }',
  },
  {
    setUp: 'const f = (n) => { for (;;) { if (F1) return n; if (n > 3) return -1; n++ } }',
    result: 'f(0)',
  },
  {
    setUp:
      'let s = ""; switch (F1 ? 1 : 2) { case 1: s += "A"; case 2: s += "B"; break; default: s = 1 }',
    result: '{ s }',
  },
  { setUp: 'function* g() { yield 1; if (F1) yield 2; yield 3 }', result: '[...g()]' },
  { setUp: 'const o = { a: 1 }; if (F1) o.b = 2', result: '["b" in o, Object.hasOwn(o, "b")]' },
  { setUp: 'const l = []; l[2] = 0', result: '[l.map(() => 1), [...l], Object.keys(l), l.length]' },
  { setUp: 'const l = [3, 1, 2].slice(F1 ? 1 : 0)', result: '[l, [0, 0, 0].fill(1, 1, 2)]' },
  {
    setUp: 'let a, b, c; [a, ...b] = [1, 2, 3]; ({ x: a = 4, ...c } = { y: 5 })',
    result: '{ a, b, c }',
  },
  { setUp: '{ var late = 1 }', result: '{ late }' },
  {
    setUp: '',
    result: '[[null, undefined, 1].join("-"), [1, 2].reduceRight((all, one, i) => all + i, 0)]',
  },
  {
    setUp: 'const list = [1]; if (F1) list.push(2); const f = (...l) => l.length; const into = [0]',
    result:
      '[function () { return arguments.length }(...Array.of(1, F2)), f(...list), Array.of(...list).length, [9].concat(...list)]',
  },
  {
    setUp: 'const list = [1]; if (F1) list.push(2); const into = [0]; into.push(...list)',
    result: '[into.length, ((a, b) => b ?? 3)(...list)]',
  },
  {
    setUp:
      'const list = [1]; if (F1) list.push(2); const into = [0, 5]; into.splice(0, 1, ...list)',
    result: 'into',
  },
  {
    setUp:
      'class A {} class B extends A {} class M extends Map {} class E extends TypeError {} function F() {} const made = new F()',
    result:
      '[new B() instanceof A, new A() instanceof B, made instanceof F, new M() instanceof Map, new M() instanceof Set, new E() instanceof Error, new E() instanceof RangeError, [] instanceof Object, Object.create(null) instanceof Object, B instanceof Function, new A() instanceof RegExp, Object.getPrototypeOf(new TypeError("")) === TypeError.prototype]',
  },
]
