/** Calls that change a package or one of its objects: under conditions, at any time, and between two reads. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { temporaryFolder } from '../../support/folders.ts'
import { runsAll } from '../../support/runs.ts'
import { canonical, scanProgram } from '../../support/scan-program.ts'

const dir = temporaryFolder({ after })
const source = `let max = 10
exports.configure = (options) => { max = options.max }
exports.max = () => max
exports.use = (options) => { max = options.max; return exports }
exports.settings = { max: 3 }
exports.Builder = class { max = 5; set(next) { this.max = next } get() { return this.max } }`
const folder = join(dir, 'node_modules/stateful')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'index.js'), source)
const head = ["import lib from 'stateful'"]

const effects = [
  'lib.configure({ max: 99 })',
  'lib.settings.max = 98',
  'one.set(97)',
  'lib.configure({ max: process.env.ONCE ? 96 : 95 })',
  'lib.use({ max: 4 }).use({ max: 94 })',
  'lib.use({ max: 93 }).settings.max.toString()',
  'one.set(lib.use({ max: 92 }).max())',
  '[lib].map(({ configure }) => configure({ max: 91 })).length',
]

const places: Readonly<Record<string, (effect: string) => string>> = {
  'at once': (effect) => effect,
  'under a condition': (effect) => `if (process.env.ONCE) ${effect}`,
  'after &&': (effect) => `process.env.ONCE && (${effect})`,
  'in a conditional expression': (effect) => `process.env.ONCE ? ${effect} : 0`,
  'after an early return': (effect) =>
    `const f = () => { if (process.env.ONCE) return; ${effect} }; f()`,
  'in the other branch': (effect) => `if (process.env.ONCE) lib.max(); else ${effect}`,
  'in a loop of unknown rounds': (effect) =>
    `for (const name of Object.keys(process.env)) if (name === 'ONCE') ${effect}`,
  'in a try': (effect) => `try { JSON.parse(process.env.ONCE); ${effect} } catch {}`,
  'in a listener': (effect) => `process.once('SIGUSR2', () => { ${effect} })`,
  'in a generator that is never read': (effect) => `function* g() { ${effect}; yield 1 }; g()`,
  'in a callback of a list': (effect) => `[1].forEach(() => ${effect})`,
  'in an arrow function': (effect) => `const f = () => ${effect}; if (process.env.ONCE) f()`,
  'in a returned call': (effect) => `function f() { return ${effect} }; if (process.env.ONCE) f()`,
  'in a function of a function': (effect) =>
    `const f = () => ${effect}; const g = () => { return f() }; process.env.ONCE && g()`,
  'in a callback whose results are left': (effect) =>
    `if (process.env.ONCE) [1].map(() => ${effect})`,
  'in a variable': (effect) => `if (process.env.ONCE) { const used = ${effect} }`,
  'in an argument': (effect) => `const f = () => 0; if (process.env.ONCE) f(${effect})`,
  twice: (effect) => `if (process.env.ONCE) ${effect}; ${effect}`,
}

/** Places where the time or number of calls is unknown, and one that leads to too many states. */
const mayBeRefused: ReadonlySet<string> = new Set([
  'in a loop of unknown rounds',
  'in a try',
  'in a listener',
  'in a generator that is never read',
  'twice',
])

const reads: Readonly<Record<string, string>> = {
  'read afterwards': 'const before = []',
  'read before and afterwards': 'const before = [lib.max(), lib.settings.max, one.get()]',
  'read and tested before': 'const before = [lib.max()]; if (before[0] > 50) lib.max()',
}

const result = '{ const: [...before, ...late, lib.max(), lib.settings.max, one.get()] }'

/** Runs a program in JavaScript. */
function run(program: string, env: NodeJS.ProcessEnv): string {
  const lib = {}
  // oxlint-disable-next-line no-new-func -- the program is that of this test
  new Function('exports', source)(lib)
  // oxlint-disable-next-line no-new-func -- as above
  const value: unknown = new Function('lib', 'process', `${program}; return (${result})`)(lib, {
    env,
    once: () => undefined,
  })
  return canonical(JSON.stringify(value))
}

for (const [index, [place, write]] of Object.entries(places).entries()) {
  test(`what calls make of a package ${place} is known in each branch, or refused`, async () => {
    let refused = 0
    for (const effect of effects.filter((_, i) => runsAll || (i + index) % 4 === 0)) {
      for (const [when, read] of Object.entries(reads).slice(runsAll ? 0 : -1)) {
        for (const late of ['[lib.max() > 50 ? 1 : 0]', '[]'].slice(0, runsAll ? 2 : 1)) {
          const setUp = `const one = new lib.Builder(); ${read}; ${write(effect)}; const late = ${late}`
          const { values, diagnostics } = await scanProgram(dir, head, { setUp, result })
          if (diagnostics.length > 0) {
            refused++
            continue
          }
          const found = values.map(canonical)
          for (const env of [{}, { ONCE: '1' }]) {
            const expected = run(setUp, env)
            assert.ok(
              found.includes(expected),
              `${when}: ${expected} isn't in ${found.join()} of ${setUp}`,
            )
          }
        }
      }
    }
    if (!mayBeRefused.has(place)) assert.equal(refused, 0)
  })
}
