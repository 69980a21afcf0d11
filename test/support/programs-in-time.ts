/** Generates random programs whose value depends on when JavaScript runs what: promises, timers, events, rejections, callbacks of packages. */
import fc from 'fast-check'
import { name, type Expressions } from './random-expressions.ts'
import { programs, statements, type Program } from './random-programs.ts'

/** A package that calls what it's given: at once, later, or never. */
export const toolPackage = `
export const each = (list, f) => { for (const one of list) f(one) }
export const never = (f) => {}
export const caught = (f) => { try { f() } catch {} }
export const soon = (f) => { Promise.resolve().then(() => f(1)) }
export const later = (f) => { setTimeout(() => f(2), 1) }
export const load = async (value) => value
export const fail = async (message) => { throw new Error(message) }
export const failNow = (message) => { throw new Error(message) }
export const fill = async (target) => { await null; target.filled = true; return target }
`

/** What a program in time may import, and by which names. */
export const imports: readonly string[] = [
  "import { EventEmitter, once } from 'node:events'",
  "import { readFile } from 'node:fs'",
  "import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'",
  "import * as tool from 'tool'",
]

const object = fc.constantFrom('({})', "({ x: 1, y: 'z' })", '({ ...c, x: 2 })')
const list = fc.constantFrom('[]', "[1, 'y', null]", '[a, b]', '[...order]')
const text = fc.constantFrom("'x'", "''", 'typeof a')
const literal = fc.constantFrom('1', '2', "'y'", 'null', 'true', 'count')

/** Small expressions: other tests have all of them. */
const known: Expressions = {
  expression: fc.oneof(literal, name, object, list, text),
  object,
  list,
  text,
}
const plain = statements(known)

/** Ways to run a statement `{{s}}` now or later, with `{{t}}` around it. */
const schedules = [
  'queueMicrotask(() => { {{s}} }); {{t}}',
  'process.nextTick(() => { {{s}} }); {{t}}',
  'setTimeout(() => { {{s}} }, 1); {{t}}',
  'setImmediate(() => { {{s}} }); {{t}}',
  'Promise.resolve().then(() => { {{s}} }); {{t}}',
  'await Promise.resolve().then(() => { {{s}} }); {{t}}',
  'const p = Promise.resolve().then(() => { {{s}} }); {{t}} await p',
  'const p = (async () => { await null; {{s}} })(); { {{t}} } await p',
  'const f = async () => { { {{s}} } await 0; order.push("f") }; const p = f(); { {{t}} } await p',
  'await Promise.all([(async () => { { {{s}} } await null; order.push(a) })(), (async () => { await null; {{t}} })()])',
  'await Promise.all([(async () => { await null; await null; {{s}} })(), (async () => { await null; {{t}} })()])',
  'const f = async () => { { {{s}} } throw new Error("f") }; await f().catch(() => { {{t}} })',
  'const f = async () => { await null; { {{s}} } throw new Error("f") }; const p = f().catch((e) => { order.push(e.message); {{t}} }); order.push(1); await p',
  'const f = async () => { await null; throw new Error("f") }; try { await f(); {{s}} } catch { {{t}} }',
  'try { await Promise.reject(new Error("no")) } catch (e) { order.push(e.message); {{s}} } finally { {{t}} }',
  'await new Promise((done) => { setTimeout(() => { { {{s}} } done() }, 2); {{t}} })',
  'await sleep(1); { {{s}} } await turn(); {{t}}',
  'function* g() { yield a; yield [a, b]; yield order.length } for (const one of g()) { { {{s}} } order.push(one) } {{t}}',
  'function* g() { yield a; { {{s}} } yield [a, b] } const it = g(); { {{t}} } order.push(...it)',
  'function* g() { yield [a]; yield { a, b, n: order.length } } const it = g(); const { value } = it.next(); { {{s}} } order.push(value, ...it); {{t}}',
  'const all = [a, b]; function* g() { for (const one of all) yield one } for (const one of g()) { if (all.length < 4) all.push(one); {{s}} } order.push(all); {{t}}',
  'async function* g() { yield a; await null; yield [b, order.length] } for await (const one of g()) { { {{s}} } order.push(one) } {{t}}',
  'const e = new EventEmitter(); e.on("x", () => { {{s}} }); { {{t}} } e.emit("x")',
  'const e = new EventEmitter(); const p = once(e, "x"); queueMicrotask(() => { { {{s}} } e.emit("x", 1) }); { {{t}} } order.push(await p)',
  'await new Promise((done) => readFile("none.json", () => { { {{s}} } done() })); {{t}}',
  'tool.each([1, 2], (one) => { order.push(one); {{s}} }); {{t}}',
  'tool.soon(() => { {{s}} }); {{t}}',
  'tool.later(() => { {{s}} }); {{t}} await sleep(4)',
  'const f = async () => { await null; tool.never(async (one) => { if (one) await new Promise(() => {}); await one }) }; const p = f(); { {{s}} } await p; {{t}}',
  'try { await tool.fail("no"); {{s}} } catch { {{t}} }',
  'try { tool.failNow("no"); {{s}} } catch { {{t}} }',
  'for (const one of [1, 2]) { await null; order.push(one); {{s}} } {{t}}',
  'const f = async (n) => { await null; order.push(n); if (n === 1) { {{s}} } }; f(1); await f(2); {{t}}',
  'const f = async () => { while (order.length < 30) { order.push(0); await null; if (order.length % 3 === 0) break } {{s}} }; const p = f(); order.push(1); { {{t}} } await p',
]

const templates = [
  'const f = async () => { await null; §a = §v }; const p = f(); §b = §w; await p',
  'const f = async () => { §a = await §v; count++; return §w }; §b = await f()',
  'const f = async (n) => { order.push(n); await null; order.push(§v) }; const p = f(1); order.push(2); await p',
  'const f = async (n, k) => { for (let i = 0; i < k; i++) { order.push([n, i]); await null } return n }; §a = await Promise.all([f("p", 2), f("q", 3)])',
  'const f = async () => { await null; order.push(§v) }; f(); order.push(§w)',
  'Promise.resolve(§v).then((v) => { §a = v; order.push("t") }); order.push("s")',
  'const p = Promise.resolve(1).then((v) => v + 1).then((v) => { order.push(v); return §v }).finally(() => { count++ }); order.push(0); §a = await p',
  '§a = await Promise.reject(§v).catch((e) => [e, §w])',
  '§a = await Promise.reject(§v).then(() => 1, (e) => [e])',
  '§a = await Promise.resolve(§v).then((v) => [v], () => 1)',
  '§a = (await Promise.allSettled([§v, Promise.reject(§w), (async () => { await null; throw 1 })()])).map((r) => [r.status, r.value ?? null, r.reason ?? null])',
  '§a = await Promise.any([Promise.reject(1), §v, §w])',
  'try { await Promise.any([Promise.reject(§v)]) } catch (e) { §a = [e.errors, e.name] }',
  '§a = await Promise.race([sleep(40, §v), sleep(1, §w)])',
  '§a = await Promise.race([new Promise(() => {}), (async () => { await null; return §v })()])',
  '§a = await new Promise((yes, no) => no(§v)).then(() => 1, (e) => ({ e }))',
  'let done; const p = new Promise((yes) => { done = yes }); setTimeout(() => done(§v), 1); §a = await p',
  '§a = await { then(yes) { order.push("then"); yes(§v) } }',
  '§a = await { then(yes, no) { no(§v) } }.then(1, (e) => [e])',
  'try { await { then(yes, no) { no(§v) } } } catch (e) { §a = [e] }',
  'const f = async (v) => { if (v === §v) throw new Error("same"); return v }; §a = await f(§w).catch((e) => e.message)',
  'const f = async (v) => { try { await null; if (v === §v) throw 1; return [v] } catch (e) { return e } finally { count++ } }; §a = await f(§w)',
  'const warm = async () => { await null; throw new Error("warm") }; warm().catch((e) => order.push(e.message)); order.push("on")',
  '§a = order.length + await Promise.resolve(1); order.push(§a)',
  'count += await (async () => { await null; count++; return 1 })()',
  '§a = [order.push(1), await null, order.push(2), (await Promise.resolve(§v)), order.length]',
  'const f = async (...l) => { §a = { x: await l[0], ["y"]: await l[1] ?? 1, z: l[2] && await l[2] } }; await f(§v, §w, Promise.resolve(2))',
  'const list = await Promise.all([1, 2, 3].map(async (n) => { await null; order.push(n); return [n, §v] })); §a = list',
  'const seen = []; await Promise.all((§l).map(async (one, i) => { for (let k = i; k < 2; k++) await null; seen.push(i) })); §a = seen',
  'const e = new EventEmitter(); e.on("x", (v) => order.push(v)); e.once("x", (v) => { §a = v }); §b = [e.emit("x", §v), e.emit("x", §w), e.emit("y"), e.listenerCount("x")]',
  'class Bus extends EventEmitter { constructor() { super(); this.all = [] } add(v) { this.all.push(v); this.emit("add", v, this.all.length) } } const bus = new Bus(); bus.on("add", (v, n) => order.push(n)); bus.add(§v); bus.add(§w); §a = bus.all',
  'const e = new EventEmitter(); const f = () => order.push("off"); e.on("x", f); e.off("x", f); §a = e.emit("x")',
  'queueMicrotask(() => order.push("m")); process.nextTick(() => order.push("n")); await sleep(1)',
  'setTimeout(() => order.push(40), 40); setTimeout(() => order.push(1), 1); await sleep(80)',
  'const t = setTimeout(() => { §a = §v }, 1); clearTimeout(t); await sleep(2)',
  'const i = setInterval(() => { order.push("i"); clearInterval(i) }, 1); await sleep(4)',
  'await turn(); §a = await turn(§v)',
  'const p = Promise.resolve(); for (const n of [1, 2]) p.then(() => order.push(n)).then(() => order.push(-n)); await p; order.push("p"); await null; await null',
  '§a = await (async () => Promise.resolve(§v))(); const q = (async () => (async () => order.push("q"))())(); q.then(() => order.push("r")); await null; order.push(1); await null; order.push(2); await null; order.push(3); await q',
  'async function* g() { yield §v; await null; yield §w } const got = []; for await (const one of g()) got.push(one); §a = got',
  'const got = []; for await (const one of [Promise.resolve(§v), §w]) { got.push(one) } §a = got',
  '§a = await tool.load(§v); §b = [await tool.load(1), §a]',
  '§a = await tool.fail("no").catch((e) => [e.message, §v])',
  '§a = await tool.load(§v).then((v) => { order.push("loaded"); return [v] }, () => "failed")',
  '§a = (await Promise.allSettled([tool.fail("x"), tool.load(§v)])).map((r) => r.status)',
  '§a = await tool.fill({ x: §v })',
  'try { await tool.fail("no"); §a = §v } catch (e) { §b = e.message }',
  'let x = §v; tool.each([1, 2], (one) => { x = one }); §a = x',
  'const o = {}; tool.caught(() => { o.x = §v; throw new Error("x") }); §a = o',
  'let x = §v; tool.caught(() => { x = §w; null.x }); §a = x',
  'const o = {}; tool.each(["p", "q"], (one) => { o[one] = §v }); §a = o',
  'await Promise.all([tool.load(1).then(() => order.push("p")), Promise.resolve().then(() => order.push("q"))])',
  'const f = async () => { await tool.load(1); order.push("f") }; const p = f(); await null; await null; order.push("g"); await p',
  'const f = async () => { if (count > §n) return 1; await null; count++; return f() }; §a = await f()',
  'const lazy = (() => { let p; return () => (p ??= (async () => { await null; count++; return §v })()) })(); §a = await Promise.all([lazy(), lazy()])',
  'const f = async () => { order.push("in"); await sleep(1); order.push("out") }; await Promise.all([f(), f()])',
  'label: for (const x of [1, 2, 3]) { for (const y of [1, 2]) { await null; if (x === 2) continue label; if (y === 2) break; order.push([x, y]) } }',
  'switch (await Promise.resolve(§v)) { case §w: §a = 1; break; case 1: await null; §a = 2; default: §b = await 3 }',
  'const f = async ({ x = 1 } = {}, y = x) => { const [p, { q = await y } = {}] = [await x]; return [p, q] }; §a = await f({ x: §v })',
  'const f = async () => { const x = await §v, y = await [x]; let z; z = await y; return { z, k: (await null) ?? `${await 1}-${await 2}` } }; §a = await f()',
  'do { await null; count++ } while (await (count < 3)); §a = count',
  'const t = async () => { try { return await Promise.resolve(1) } finally { await null; order.push("fin") } }; const p = t(); order.push("now"); §a = await p',
  'const o = { v: §v, async get() { await null; return this.v } }; const p = o.get(); o.v = §w; §a = await p',
  'class C { #p = (async () => { await null; return §v })(); async v() { return [await this.#p] } } §a = await new C().v()',
  'function* g() { order.push("g"); yield §v; order.push("h"); yield §w } const it = g(); order.push("it"); for (const one of it) order.push(one)',
  'function* g() { count++; yield §v } const it = g(); §a = count; order.push(...it)',
  'function* g() { for (let n = 0; ; n++) yield [n, §v] } const it = g(); §a = [it.next().value, it.next().value]',
  // Closures over variables of code that runs at another time.
  'let read; try { let z = §v; read = () => z; tool.each([1, 2], (one) => { if (one === count) throw one }); z = §w } catch { count++ } §a = read()',
  'let read; tool.each([1, 2], (one) => { let z = one; read = () => z; z = §v }); §a = read()',
  'const f = async () => { await null; let z = 1; const g = async () => { await tool.load(1); z = §v }; const p = g(); await tool.load(2); order.push(z); await p }; f(); await sleep(20)',
  'let read; setTimeout(() => { let z = 1; read = () => z; setTimeout(() => { z = §v }, 1) }, 1); await sleep(80); §a = read()',
  'tool.soon(() => { let z = 1; const g = async () => { await null; await null; z = 2 }; g(); Promise.resolve().then(() => order.push(z)) }); await sleep(20)',
  'let read; const f = async () => { await null; let z = §v; read = () => z; await null; z = §w }; f(); await null; await null; §a = read()',
  'const all = []; for (const one of [1, 2, 3]) { let z = one; all.push(() => z); if (one === await tool.load(count)) break; z = §v } §a = all.map((f) => f())',
]

/** Code outside of the source runs these when it likes, so that the scan refuses what they write. */
const isForeign = (one: string): boolean => /tool\.|readFile|setInterval/.test(one)

/** The scan follows generators at once, so that it refuses what changes between two of their values. */
const isInterleaved = (one: string): boolean => /function\* g.*{{/.test(one)

function scheduledBy(isWanted: (one: string) => boolean): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...schedules.filter(isWanted)), plain, plain)
    .map(([schedule, s, t]) => schedule.replace('{{s}}', () => s).replace('{{t}}', () => t))
}

function inTime(isWanted: (one: string) => boolean): fc.Arbitrary<string> {
  return fc.oneof(scheduledBy(isWanted), statements(known, templates.filter(isWanted)))
}

const all = fc.oneof(
  { weight: 7, arbitrary: plain },
  { weight: 12, arbitrary: inTime((one) => !isForeign(one) && !isInterleaved(one)) },
  { weight: 1, arbitrary: inTime(isForeign) },
)

/** At most half of the programs wait until everything has run. */
const end = fc.constantFrom('', '', 'await sleep(9)')

/** Chance decides whether an immediate or a timer of 1 ms comes first. */
const isRace = (setUp: string): boolean =>
  /setTimeout\(|setInterval|tool\.later/.test(setUp) && /setImmediate|turn\(/.test(setUp)

const programsOf = (parts: fc.Arbitrary<string>): fc.Arbitrary<Program> =>
  fc
    .tuple(programs(known, parts, ', order'), end)
    .filter(([{ setUp }]) => !isRace(setUp))
    .map(([{ setUp, result }, wait]) => ({
      setUp: `const order = []\n;${setUp}\n;${wait}`,
      result,
    }))

export const programInTime: fc.Arbitrary<Program> = programsOf(all)

/** Programs in which other code runs between the values of a generator. */
export const interleavedProgram: fc.Arbitrary<Program> = programsOf(
  fc.oneof(plain, scheduledBy(isInterleaved)),
)
