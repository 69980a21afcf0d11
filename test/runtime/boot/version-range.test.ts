import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { satisfies } from '../../../runtime/boot/version-range.ts'
import { runs } from '../../support/runs.ts'

interface Semver {
  satisfies(version: string, range: string): boolean
}

const require = createRequire(createRequire(import.meta.url).resolve('fastify'))
const semver = require('semver') as Semver

const number = fc.integer({ min: 0, max: 5 }).map(String)
const digits = fc.oneof(number, number, fc.constantFrom('4', '21', '0', '01', '99'))
const part = fc.oneof({ weight: 4, arbitrary: digits }, fc.constantFrom('x', 'X', '*'))
const prerelease = fc
  .array(fc.constantFrom('0', '1', 'rc', 'alpha', 'rc-1', '01', '10'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((ids) => `-${ids.join('.')}`)
const suffix = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  prerelease,
  fc.constantFrom('+build', '+b.1-2'),
)
const exact = fc.tuple(digits, digits, digits, suffix).map(([a, b, c, s]) => `${a}.${b}.${c}${s}`)
const partial = fc.oneof(
  exact,
  fc.tuple(part, part, part, suffix).map(([a, b, c, s]) => `${a}.${b}.${c}${s}`),
  fc.tuple(part, part).map((parts) => parts.join('.')),
  part,
)
const operator = fc.constantFrom(
  '',
  '',
  '^',
  '~',
  '~>',
  '<',
  '<=',
  '>',
  '>=',
  '=',
  'v',
  '=v',
  '>= ',
  '^ ',
  '==',
)
const comparator = fc.tuple(operator, partial).map((parts) => parts.join(''))
const alternative = fc.oneof(
  { weight: 5, arbitrary: fc.array(comparator, { maxLength: 3 }).map((list) => list.join(' ')) },
  fc.tuple(partial, partial).map((parts) => parts.join(' - ')),
  fc.constantFrom('', ' ', '*', 'latest', '>', '1.2.3.4', '>=  4.0.0   <5'),
  fc.constantFrom('4.x', '^4.0.0', '>=4', '>=4.0.0 <5', '~4.21', '^4.22.0', '5.x'),
)
const range = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.array(alternative, { minLength: 1, maxLength: 3 }).map((list) => list.join('||')),
  },
  { weight: 1, arbitrary: fc.string() },
)

const release = fc.tuple(number, number, number).map((numbers) => numbers.join('.'))

test('ranges include the same versions as for npm', () => {
  const property = fc.property(fc.oneof(release, fc.constant('4.21.0')), range, (version, text) => {
    assert.equal(satisfies(version, text), semver.satisfies(version, text))
  })
  fc.assert(property, runs(20_000))
})
