/** Shortens the errors that Ajv writes out to calls of functions. */
import type { Found, RuleText } from './rewrite.ts'
import { string } from '../../util/literal.ts'

/** Returns the schema path without the keyword, if it ends with the keyword. */
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
  /** Checks that the function makes the same message. */
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
    params: '$$params',
    message: '$$message',
    to: 'failure($$at,$schema,$keyword,$$params,$$message)',
  },
]

/** The names of functions that are called directly. */
const DIRECT = /^check\d+$/

const isDirect = (found: Found): Record<string, never> | undefined =>
  DIRECT.test(found('$check')) ? {} : undefined

/** Calls a function that returns its error, and adds the path of the value. */
const directCall: RuleText = {
  from: 'if(!$check($$value)){$validate.errors = within($check.errors,$$path);return false;}',
  to: `{const failed = $check($$value);
    if(failed !== null){$validate.errors = within(failed,$$path);return false;}}`,
  where: isDirect,
}

/** The same with `allErrors`. */
export const collectingCall: RuleText = {
  from: `if(!$check($$value)){
    vErrors = collectWithin(vErrors,$check.errors,$$path);errors = vErrors.length;}`,
  to: `{const failed = $check($$value);
    if(failed !== null){vErrors = collectWithin(vErrors,failed,$$path);errors = vErrors.length;}}`,
  where: isDirect,
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

export const errorRules: readonly RuleText[] = [directCall, ...objectRules]

/** Returns the text of a string in double quotes, and '' for other tokens. */
function text(token: string): string {
  return token.startsWith('"') ? (JSON.parse(token) as string) : ''
}
