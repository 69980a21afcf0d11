/** What Ajv writes out for each property, as calls: half of the text of a validator is coercion and errors. */
import { createRules, type Found, type Rules, type RuleText } from './rewrite.ts'
import { string } from './source.ts'

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

/** Ajv goes on with the only item of an array even when that is of another type. */
const failures: readonly (Pick<RuleText, 'from' | 'to' | 'where'> & { uses: readonly string[] })[] =
  [
    {
      from: '$$error return false;',
      to: '$$error return false;',
      uses: [],
      // With the option `verbose` the error shows the data.
      where: (found) => (isMentioned(found('$d'), found('$$error')) ? undefined : {}),
    },
    { from: '$$error', to: '$d = onlyItem($d);$$error', uses: ['onlyItem'] },
  ]

const coercionRules: RuleText[] = coercions.flatMap(({ helper, check, chain }) =>
  failures.map(({ from, to, uses, where }) => ({
    from: `let $t = typeof $d;let $c = undefined;
      if($t == 'object' && Array.isArray($d) && $d.length == 1){
        $d = $d[0];$t = typeof $d;if(${check}){$c = $d;}
      }
      if(!($c !== undefined)){${chain}else {${from}}}
      if($c !== undefined){$d = $c;if($p !== undefined){$p[$k] = $c;}}`,
    to: `let $c = ${helper}($d);if($c === undefined){${to}}
      else {$d = $c;if($p !== undefined){$p[$k] = $c;}}`,
    uses: [helper, ...uses],
    ...(where && { where }),
  })),
)

function isMentioned(name: string, code: string): boolean {
  return new RegExp(String.raw`\b${name}\b`).test(code)
}

/** A property is read from an object, so that there is one to write to; only the root may be without. */
const parentRule: RuleText = {
  from: 'if($p !== undefined){$p[$k] = $c;}',
  to: '$p[$k] = $c;',
  where: (found) => (/^data\d*$/.test(found('$p')) ? {} : undefined),
}

const typeRules: RuleText[] = [
  { from: isInteger, to: 'Number.isInteger($d)' },
  { from: isNumber, to: 'Number.isFinite($d)' },
]

/** Coercions and tests of types; to be applied before `errorRules`. */
export const valueRules: Rules = createRules([...coercionRules, ...typeRules])

export const parentRules: Rules = createRules([parentRule])

/** The path of the schema without the keyword at its end, which is where it stands as a rule. */
function schemaOf(found: Found): { $schema: string } | undefined {
  const path = JSON.parse(found('$path')) as string
  const end = `/${JSON.parse(found('$keyword')) as string}`
  return path.endsWith(end) ? { $schema: string(path.slice(0, -end.length)) } : undefined
}

interface ErrorForm {
  readonly keyword?: string
  readonly params: string
  readonly message: string
  readonly to: string
  /** Whether the message is the one that the call will make. */
  readonly fits?: (found: Found) => boolean
}

const errorForms: readonly ErrorForm[] = [
  {
    keyword: '"type"',
    params: '{type: $type}',
    message: '$message',
    to: 'typeFailure($$at,$schema,$type)',
    fits: (found) => found('$message') === `"must be ${text(found('$type'))}"`,
  },
  {
    keyword: '"required"',
    params: '{missingProperty: $missing}',
    message: `"must have required property '"+$missing+"'"`,
    to: 'requiredFailure($$at,$schema,$missing)',
  },
  {
    keyword: '"enum"',
    params: '{allowedValues: $$values}',
    message: '"must be equal to one of the allowed values"',
    to: 'enumFailure($$at,$schema,$$values)',
  },
  {
    keyword: '"format"',
    params: '{format: $format}',
    message: String.raw`"must match format \""+$format+"\""`,
    to: 'formatFailure($$at,$schema,$format)',
  },
  {
    keyword: '"pattern"',
    params: '{pattern: $pattern}',
    message: String.raw`"must match pattern \""+$pattern+"\""`,
    to: 'patternFailure($$at,$schema,$pattern)',
  },
  {
    params: '{comparison: $comparison, limit: $$limit}',
    message: '$message',
    to: 'limitFailure($$at,$schema,$keyword,$comparison,$$limit)',
    fits: (found) =>
      found('$message') === `"must be ${text(found('$comparison'))} ${number(found('$$limit'))}"`,
  },
  {
    params: '{limit: $limit}',
    message: '$message',
    to: 'countFailure($$at,$schema,$keyword,$limit)',
    fits: (found) => {
      const [comparison, what] = COUNTED[text(found('$keyword'))] ?? []
      const message = `"must NOT have ${comparison} than ${number(found('$limit'))} ${what}"`
      return found('$message') === message
    },
  },
  {
    params: '$$params',
    message: '$$message',
    to: 'failure($$at,$schema,$keyword,$$params,$$message)',
  },
]

const COUNTED: Readonly<Record<string, readonly [string, string]>> = {
  maxItems: ['more', 'items'],
  maxLength: ['more', 'characters'],
  maxProperties: ['more', 'properties'],
  minItems: ['fewer', 'items'],
  minLength: ['fewer', 'characters'],
  minProperties: ['fewer', 'properties'],
}

/** Error objects. */
export const errorRules: Rules = createRules(
  errorForms.flatMap(({ keyword, params, message, to, fits }) =>
    ['instancePath', 'instancePath:$$at'].map((at) => ({
      from: `{${at},schemaPath:$path,keyword:$keyword,params:${params},message:${message}}`,
      to: at === 'instancePath' ? to.replace('$$at', () => at) : to,
      uses: [to.slice(0, to.indexOf('('))],
      where: (found: Found) => {
        if (keyword !== undefined && found('$keyword') !== keyword) return undefined
        return fits === undefined || fits(found) ? schemaOf(found) : undefined
      },
    })),
  ),
)

/** For validators that are only asked whether a value fits: an error counts, but says nothing. */
export const silentRules: Rules = createRules(
  ['instancePath', 'instancePath:$$at'].flatMap((at) =>
    ['params:$$params', 'params:$$params,message:$$message'].map((rest) => ({
      from: `{${at},schemaPath:$path,keyword:$keyword,${rest}}`,
      to: '{}',
    })),
  ),
)

/** The text of a string token; '' when it is something else. */
function text(token: string): string {
  return token.startsWith('"') ? (JSON.parse(token) as string) : ''
}

/** A number token as JavaScript would print the number. */
function number(token: string): string {
  return String(Number(token))
}
