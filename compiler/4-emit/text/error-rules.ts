/** What Ajv writes out to report an error, as calls. */
import type { Found, RuleText } from './rewrite.ts'
import { string } from './source.ts'

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
    params: '{comparison: $comparison, limit: $$limit}',
    message: '$message',
    to: 'limitFailure($$at,$schema,$keyword,$comparison,$$limit)',
    fits: (found) =>
      found('$message') === `"must be ${text(found('$comparison'))} ${number(found('$$limit'))}"`,
  },
  {
    params: '$$params',
    message: '$$message',
    to: 'failure($$at,$schema,$keyword,$$params,$$message)',
  },
]

/** What functions that are called lightly are called. Where templates are about, all are called as Ajv does it. */
const DIRECT = /^check\d+$/

const isDirect = (found: Found): Record<string, never> | undefined =>
  DIRECT.test(found('$check')) ? {} : undefined

/** The call of a function that gives its error, which was found without knowing where it stands. */
const directCall: RuleText = {
  from: 'if(!$check($$value)){$validate.errors = within($check.errors,$$path);return false;}',
  to: `{const failed = $check($$value);
    if(failed !== null){$validate.errors = within(failed,$$path);return false;}}`,
  where: isDirect,
}

/** The same where every error is reported. */
export const collectingCall: RuleText = {
  from: `if(!$check($$value)){
    vErrors = collectWithin(vErrors,$check.errors,$$path);errors = vErrors.length;}`,
  to: `{const failed = $check($$value);
    if(failed !== null){vErrors = collectWithin(vErrors,failed,$$path);errors = vErrors.length;}}`,
  where: isDirect,
}

/** One error of several. */
const collectRule: RuleText = {
  from: `const $error = $$made;if(vErrors === null){vErrors = [$error];}else {vErrors.push($error);}`,
  to: 'vErrors = collect(vErrors,$$made);',
  uses: ['collect'],
}

const objectRules: readonly RuleText[] = errorForms.flatMap(
  ({ keyword, params, message, to, fits }) =>
    ['instancePath', 'instancePath:$$at'].map((at) => ({
      from: `{${at},schemaPath:$path,keyword:$keyword,params:${params},message:${message}}`,
      to: at === 'instancePath' ? to.replace('$$at', () => at) : to,
      uses: [to.slice(0, to.indexOf('('))],
      where: (found: Found) => {
        if (keyword !== undefined && found('$keyword') !== keyword) return undefined
        return fits === undefined || fits(found) ? schemaOf(found) : undefined
      },
    })),
)

export const errorRules: readonly RuleText[] = [directCall, collectRule, ...objectRules]

const silentObjects: readonly RuleText[] = ['instancePath', 'instancePath:$$at'].flatMap((at) =>
  ['params:$$params', 'params:$$params,message:$$message'].map((rest) => ({
    from: `{${at},schemaPath:$path,keyword:$keyword,${rest}}`,
    to: '{}',
  })),
)

/** For validators that are only asked whether a value fits: an error counts, but says nothing. */
export const silentRules: readonly RuleText[] = [collectRule, ...silentObjects]

/** The text of a string token; '' when it is something else. */
function text(token: string): string {
  return token.startsWith('"') ? (JSON.parse(token) as string) : ''
}

/** A number token as JavaScript would print the number. */
function number(token: string): string {
  return String(Number(token))
}
