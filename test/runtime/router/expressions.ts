/** Random regular expressions, as routes may have them, and texts that are hard for them. */
import fc from 'fast-check'

const quantifier = fc.constantFrom(...'* + ? {2} {2,} {1,3} { {,2} *? +?'.split(' '), '', '', '')
const atom = fc.constantFrom(
  ...String.raw`a b . \d \w \b \n \x41 \u0041 \. \( [ab] [^\](] [(+*)] [\]+] [a-z\d] \1 \cA \\ x{y / : -`.split(
    ' ',
  ),
)

export const expression: fc.Arbitrary<string> = fc
  .letrec((tie) => ({
    regex: fc
      .array(fc.array(tie('part'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
      .map((alternatives) => alternatives.map((each) => each.join('')).join('|')),
    part: fc
      .tuple(fc.oneof({ depthSize: 'small' }, atom, tie('group')), quantifier)
      .map(([each, count]) => `${String(each)}${count}`),
    group: fc
      .tuple(fc.constantFrom('', '', '', '?:', '?=', '?!', '?<n>', '?<='), tie('regex'))
      .map(([kind, inner]) => `(${kind}${String(inner)})`),
  }))
  .regex.map(String)

// Overlapping choices, in and beside repetitions, make expressions slow that backtrack.
const overlapping = fc
  .array(
    fc.constantFrom(
      ...String.raw`a* a+ a? .* .*? .+ \w* [ab]+ (a|a)* (a|ab)+ (a|b|ab)* (a|aa)+? (.|a)* (a?|b)+ (?!b) (?=a*) b -`.split(
        ' ',
      ),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const name = fc.constantFrom(...':a :b :c'.split(' '))
const text = fc.constantFrom(...'. .. - -- .a .js -. .a.a'.split(' '))
const usual = fc.constantFrom(
  ...String.raw`\d+ ^\d{2}$ [a-z]* js|png \w{1,3} [^-]+ a+b?`.split(' '),
)
const own = fc.oneof(overlapping, expression, usual).map((source) => `(${source})`)

/** One segment of a path with parameters: plain ones with texts between, own expressions, and both. */
export const segment: fc.Arbitrary<string> = fc
  .array(fc.tuple(name, fc.oneof(fc.constant(''), fc.constant(''), own), text), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((params) =>
    fc.boolean().map((ends) => {
      const parts = params.map((part) => part.join('')).join('')
      return ends ? parts : parts.slice(0, -params.at(-1)![2].length)
    }),
  )

const piece = fc.array(fc.constantFrom(...'a b aa ab . - .a 1 js \n \u2028 é'.split(' ')), {
  minLength: 1,
  maxLength: 3,
})

/** A text that repeats a part of itself: `of(1000)` has about a thousand characters. */
export const pumped: fc.Arbitrary<{ of(length: number): string }> = fc
  .tuple(piece, piece, piece)
  .map(([before, repeated, after]) => {
    const [start, part, end] = [before, repeated, after].map((each) => each.join(''))
    return { of: (length) => start + part!.repeat(Math.ceil(length / part!.length)) + end }
  })
