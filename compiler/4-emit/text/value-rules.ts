/** Shortens Ajv's tests and coercions of values, and keeps the `this` of its calls. */
import type { Found, RuleText } from './rewrite.ts'

const isInteger = '((typeof $d == "number") && (!($d % 1) && !isNaN($d))) && (isFinite($d))'
const isNumber = '(typeof $d == "number") && (isFinite($d))'

const typeRules: readonly RuleText[] = [
  { from: isInteger, to: 'Number.isInteger($d)' },
  { from: isNumber, to: 'Number.isFinite($d)' },
  ...['if', '!'].map((before) => ({
    from: `${before}($d && typeof $d == "object" && !Array.isArray($d))`,
    to: `${before}(isJsonObject($d))`,
    uses: ['isJsonObject'],
  })),
]

/** With `passContext`: Ajv's functions aren't strict, so their `this` is an object. */
const contextRule: RuleText = { from: '.call(this', to: '.call(Object(this ?? globalThis)' }

/** The code for one type with `coerceTypes: 'array'`. */
interface Coercion {
  readonly helper: string
  /** Tests whether the only item of an array has the type. */
  readonly check: string
  /** The conversions, each with its condition. */
  readonly chain: string
}

const coercions: readonly Coercion[] = [
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
  {
    helper: 'coerceToArray',
    check: 'Array.isArray($d)',
    chain: `if($t === "string" || $t === "number"
      || $t === "boolean" || $d === null){$c = [$d];}`,
  },
]

/** The code for a value that can't be converted. */
interface FailureForm {
  readonly from: string
  /** The replacement of the whole coercion. */
  readonly to: (helper: string) => string
  readonly uses: readonly string[]
  readonly fits: (found: Found) => boolean
}

const failures: readonly FailureForm[] = [
  {
    from: '$$error return false;',
    to: (helper) => `if(($d = ${helper}($d)) === undefined){$$error return false;}$$assign`,
    uses: [],
    // With the option `verbose`, the error contains the data.
    fits: (found) => !isMentioned(found('$d'), found('$$error')),
  },
  {
    from: '$$error',
    // Ajv continues with the only item of an array, even if it has another type.
    to: (helper) => `let $c = ${helper}($d);
      if($c === undefined){$d = onlyItem($d);$$error} else {$d = $c;$$assign}`,
    uses: ['onlyItem'],
    fits: () => true,
  },
]

/** Returns the code that coerces `$d`, or else runs `failure`. */
function coercing({ check, chain }: Coercion, failure: string): string {
  return `let $t = typeof $d;let $c = undefined;
    if($t == 'object' && Array.isArray($d) && $d.length == 1){
      $d = $d[0];$t = typeof $d;if(${check}){$c = $d;}
    }
    if(!($c !== undefined)){${chain}else {${failure}}}
    if($c !== undefined){$d = $c;if($p !== undefined){$p[$k] = $c;}}`
}

/** The name of a property, for `propertyNames`: a constant, which Ajv assigns to only after a conversion. */
const KEY = /^key\d+$/

const coercionRules: readonly RuleText[] = coercions.flatMap((coercion) =>
  failures.map(({ from, to, uses, fits }): RuleText => ({
    from: coercing(coercion, from),
    to: to(coercion.helper),
    uses: [coercion.helper, ...uses],
    where: (found) =>
      fits(found) && !KEY.test(found('$d')) ? { $$assign: assignment(found) } : undefined,
  })),
)

/** Assigns to the parent. Only the root may have none. */
function assignment(found: Found): string {
  const parent = found('$p')
  const code = `${parent}[${found('$k')}] = ${found('$d')};`
  return parent === 'parentData' ? `if(parentData !== undefined){${code}}` : code
}

function isMentioned(name: string, code: string): boolean {
  return new RegExp(String.raw`\b${name}\b`).test(code)
}

export const valueRules: readonly RuleText[] = [...coercionRules, ...typeRules, contextRule]
