/** Values at limits, where code that skips a check could be wrong. */
import type { ValidatorCase } from './case.ts'

/** Characters of one and of two code units, and halves of the latter. */
const PIECES = ['a', 'ß', '\u{1f600}', '\ud83d', '\ude00'] as const

const texts = PIECES.flatMap((one) =>
  PIECES.flatMap((other) => Array.from({ length: 7 }, (_, i) => one.repeat(i) + other.repeat(2))),
)
const lengths: ValidatorCase[] = [0, 1, 2, 5].flatMap((limit) =>
  ['minLength', 'maxLength'].map((keyword) => ({
    title: `${keyword} ${limit} of characters with one code unit or two`,
    schema: { type: 'string', [keyword]: limit },
    inputs: ['', ...texts],
  })),
)

const LIMITS = [0, -5, 1.5, 1e21, -1e-7] as const
const numbers = LIMITS.flatMap((one) => [one, one - 1, one + 1, -one, String(one)])
const limits: ValidatorCase[] = [true, false].flatMap((strictNumbers) =>
  ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => ({
    title: `${keyword}${strictNumbers ? '' : ' of what need not be finite'}`,
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        LIMITS.map((limit, i) => [`p${i}`, { type: 'number', [keyword]: limit }]),
      ),
      patternProperties: { '^any': { [keyword]: 0 } },
    },
    options: { customOptions: { strictNumbers } },
    inputs: [
      ...LIMITS.flatMap((_, i) => numbers.map((value) => ({ [`p${i}`]: value }))),
      ...[NaN, Infinity, -Infinity, 'x', null, 1].flatMap((value) => [
        { p0: value },
        { any: value },
      ]),
    ],
  })),
)

export const limitCases: readonly ValidatorCase[] = [...lengths, ...limits]
