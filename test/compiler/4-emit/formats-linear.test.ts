/** The time of each format grows with the length of a text, and no faster. Growth is compared, not time. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import fc from 'fast-check'
import * as internal from '../../../runtime/internal.ts'
import { runs } from '../../support/runs.ts'

type Check = (text: string) => unknown

/** A beginning, a part that is repeated, and an end that is usually wrong. */
interface Pump {
  readonly start: string
  readonly part: string
  readonly end: string
}

const starts = [
  '',
  ...'a a@ a@a. a. http:// http://a http://a.b http://a@ http://a.bc/ ftp://1.1.1.1 a: a:// a:/ a://['.split(
    ' ',
  ),
  ...'// / # #/ ? 1 1.1. :: 1: P P1 PT P1DT1 2020-01-01 2020-01-01T 2020-01-01T00:00:00 00:00:00.'.split(
    ' ',
  ),
  ...'{ {a urn:uuid: AAAA\n ( [ \\'.split(' '),
]
const characters = [
  ...'aAzTZ019-._:/@%#?&=+*~!,;()[]{}|\\"^$ \t\n\u00e4\u{1f600}',
  '%41',
  '~0',
  '00:00:00',
]
const pump: fc.Arbitrary<Pump> = fc.record({
  start: fc.constantFrom(...starts),
  part: fc.oneof(
    fc.constantFrom(...characters),
    fc
      .array(fc.constantFrom(...characters), { minLength: 2, maxLength: 3 })
      .map((all) => all.join('')),
  ),
  end: fc.constantFrom('', '!', '@', '\n', ' ', '"'),
})

const textOf = ({ start, part, end }: Pump, length: number): string =>
  start + part.repeat(length / part.length) + end

/** The least time of some calls, in ms. */
function timeOf(check: Check, text: string, calls: number): number {
  let least = Infinity
  for (let i = 0; i < calls; i++) {
    const before = performance.now()
    check(text)
    least = Math.min(least, performance.now() - before)
  }
  return least
}

const LENGTH = 4000

/** Returns how many times as long the worst texts take if they are 16 times as long: 256 if the time is quadratic. */
function growthOf(check: Check, pumps: readonly Pump[]): readonly [number, Pump] {
  const slowest = pumps
    .map((one) => [timeOf(check, textOf(one, LENGTH), 2), one] as const)
    .sort(([a], [b]) => b - a)
    .slice(0, 5)
  return slowest
    .map(([, one]): readonly [number, Pump] => {
      // A time of microseconds is mostly that of the clock.
      const short = Math.max(timeOf(check, textOf(one, LENGTH), 9), 0.01)
      return [timeOf(check, textOf(one, 16 * LENGTH), 5) / short, one]
    })
    .reduce((worst, one) => (one[0] > worst[0] ? one : worst))
}

type Definition =
  | RegExp
  | Check
  | { validate: RegExp | Check; compare?: (a: string, b: string) => unknown; type?: 'number' }

/** The functions of a format that read a text. */
function checksOf(format: Definition): Check[] {
  if (format instanceof RegExp) return [(text) => format.test(text)]
  if (typeof format === 'function') return [format]
  if (format.type === 'number') return []
  const { validate, compare } = format
  return [...checksOf(validate), ...(compare ? [(text: string) => compare(text, `${text}0`)] : [])]
}

/** 16 for a linear time, and some more because long texts leave the processor's caches. */
const MOST = 64

const pumps = fc.sample(pump, runs(1500))

for (const [name, format] of Object.entries(internal as unknown as Record<string, Definition>)) {
  // Parsing an expression is left to the engine, which needs memory for each group.
  if (!/^format(?!Regex)|^isTimestamp$/.test(name)) continue
  const checks = checksOf(format)
  if (checks.length === 0) continue
  test(`${name} takes linear time`, () => {
    for (const check of checks) {
      const [growth, worst] = growthOf(check, pumps)
      assert.ok(growth < MOST, `${growth} times as long for ${JSON.stringify(worst)}`)
    }
  })
}

test('the url of ajv-formats does not', () => {
  const require = createRequire(import.meta.url)
  const { fullFormats } = require('ajv-formats/dist/formats') as {
    fullFormats: Record<string, Definition>
  }
  const [check] = checksOf(fullFormats['url']!) as [Check]
  const [growth] = growthOf(check, [{ start: 'http://', part: ':', end: '' }])
  assert.ok(growth > MOST, `${growth}`)
})
