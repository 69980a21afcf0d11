/** What Ajv writes out to test and to coerce a value, as calls. */
import type { Found, RuleText } from './rewrite.ts'

const isInteger = '((typeof $d == "number") && (!($d % 1) && !isNaN($d))) && (isFinite($d))'
const isNumber = '(typeof $d == "number") && (isFinite($d))'

/** One type, as Ajv checks and coerces it with `coerceTypes: 'array'`. */
interface Coercion {
  readonly helper: string
  /** Whether the only item of an array is of the type. */
  readonly check: string
  /** The conversions, each with its condition. */
  readonly chain: string
}

const scalarCoercions: readonly Coercion[] = [
  {
    helper: 'coerceToString',
    check: 'typeof $d === "string"',
    chain: `if($t == "number" || $t == "boolean"){$c = "" + $d;}
      else if($d === null){$c = "";}`,
  },
  {
    helper: 'coerceToNumber',
    check: isNumber,
    chain: 'if($t == "boolean" || $d === null || ($t == "string" && $d && $d == +$d)){$c = +$d;}',
  },
  {
    helper: 'coerceToInteger',
    check: isInteger,
    chain: `if($t === "boolean" || $d === null
      || ($t === "string" && $d && $d == +$d && !($d % 1))){$c = +$d;}`,
  },
  {
    helper: 'coerceToBoolean',
    check: 'typeof $d === "boolean"',
    chain: `if($d === "false" || $d === 0 || $d === null){$c = false;}
      else if($d === "true" || $d === 1){$c = true;}`,
  },
]

const coercions: readonly Coercion[] = [
  ...scalarCoercions,
  // With `nullable`. No item is of both types, so that Ajv never takes one as it is.
  ...scalarCoercions.map(({ helper, check, chain }) => ({
    helper: `${helper}OrNull`,
    check: `(${check}) && ($d === null)`,
    chain: `${chain}else if($d === "" || $d === 0 || $d === false){$c = null;}`,
  })),
  {
    helper: 'coerceToArray',
    check: 'Array.isArray($d)',
    chain: `if($t === "string" || $t === "number"
      || $t === "boolean" || $d === null){$c = [$d];}`,
  },
]

/** What is done with a value that cannot be converted. */
interface FailureForm {
  readonly from: string
  /** What takes the place of all of it. */
  readonly to: (helper: string) => string
  readonly uses: readonly string[]
  readonly fits: (found: Found) => boolean
}

const failures: readonly FailureForm[] = [
  {
    from: '$$error return false;',
    to: (helper) => `if(($d = ${helper}($d)) === undefined){$$error return false;}$$assign`,
    uses: [],
    // With the option `verbose` the error shows the data.
    fits: (found) => !isMentioned(found('$d'), found('$$error')),
  },
  {
    from: '$$error',
    // Ajv goes on with the only item of an array even when that is of another type.
    to: (helper) => `let $c = ${helper}($d);
      if($c === undefined){$d = onlyItem($d);$$error} else {$d = $c;$$assign}`,
    uses: ['onlyItem'],
    fits: () => true,
  },
]

const coercionRules: RuleText[] = coercions.flatMap(({ helper, check, chain }) =>
  failures.map(({ from, to, uses, fits }) => ({
    from: `let $t = typeof $d;let $c = undefined;
      if($t == 'object' && Array.isArray($d) && $d.length == 1){
        $d = $d[0];$t = typeof $d;if(${check}){$c = $d;}
      }
      if(!($c !== undefined)){${chain}else {${from}}}
      if($c !== undefined){$d = $c;if($p !== undefined){$p[$k] = $c;}}`,
    to: to(helper),
    uses: [helper, ...uses],
    where: (found) => (fits(found) ? { $$assign: assignment(found) } : undefined),
  })),
)

/** A property is read from an object, so that there is one to write to; only the root may be without. */
function assignment(found: Found): string {
  const parent = found('$p')
  const code = `${parent}[${found('$k')}] = ${found('$d')};`
  return parent === 'parentData' ? `if(parentData !== undefined){${code}}` : code
}

function isMentioned(name: string, code: string): boolean {
  return new RegExp(String.raw`\b${name}\b`).test(code)
}

const typeRules: RuleText[] = [
  { from: isInteger, to: 'Number.isInteger($d)' },
  { from: isNumber, to: 'Number.isFinite($d)' },
  ...['if', '!'].map((before) => ({
    from: `${before}($d && typeof $d == "object" && !Array.isArray($d))`,
    to: `${before}(isJsonObject($d))`,
    uses: ['isJsonObject'],
  })),
]

/** With `passContext`. The function that Ajv evaluates is not strict. */
const contextRule: RuleText = { from: '.call(this', to: '.call(Object(this ?? globalThis)' }

/** Ajv asks for these of numbers only. */
const limitRules: RuleText[] = (
  [
    ['<=', '>'],
    ['>=', '<'],
    ['<', '>='],
    ['>', '<='],
  ] as const
).map(([fails, fits]) => ({
  from: `if($d ${fails} $$limit || isNaN($d))`,
  to: `if(!($d ${fits} $$limit))`,
  where: (found) => (LIMIT.test(found('$$limit')) ? {} : undefined),
}))

const LIMIT = /^-?\d[\w.+-]*$/
const COUNT = /^\d{1,15}$/

/** Few texts are so near to a limit that their characters need to be counted: each has one code unit or two. */
const lengthRules: RuleText[] = [
  {
    from: 'ucs2length($d) > $limit',
    to: '$d.length > $limit && ucs2length($d) > $limit',
    where: (found) => (COUNT.test(found('$limit')) ? {} : undefined),
  },
  {
    from: 'ucs2length($d) < 1',
    to: '$d.length < 1',
  },
  {
    from: 'ucs2length($d) < $limit',
    to: '$d.length < $enough && ucs2length($d) < $limit',
    where: (found) => {
      const limit = found('$limit')
      return COUNT.test(limit) ? { $enough: String(2 * Number(limit)) } : undefined
    },
  },
]

export const valueRules: readonly RuleText[] = [
  ...coercionRules,
  ...typeRules,
  ...lengthRules,
  ...limitRules,
  contextRule,
]
