/** Asks once what Ajv asks twice, and leaves where it would go on in a block. */
import { createRules, type Found, type Rules, type RuleText } from './rewrite.ts'

/** What a conversion that gives nothing else is called for, and how Ajv asks again whether it has worked. */
const conversions = [
  { helper: 'coerceToString', fails: 'typeof $d !== "string"', fits: 'typeof $d === "string"' },
  { helper: 'coerceToArray', fails: '!(Array.isArray($d))', fits: 'Array.isArray($d)' },
]

const guardRules = conversions.flatMap(({ helper, fails, fits }): RuleText[] => {
  const converts = (found: Found): boolean =>
    found('$$convert').startsWith(`if((${found('$d')}=${helper}(${found('$d')}))===undefined)`)
  const where = (found: Found): Record<string, never> | undefined =>
    converts(found) ? {} : undefined
  return ['if($$go){', 'if($$go){if($$on){'].map((path) => ({
    from: `if(${fails}){$$convert}${path}if(${fits}){`,
    to: `if(${fails}){$$convert}${path}if(true){`,
    where,
  }))
})

/** Behind an `else` or a condition there is place for one statement only. */
const isFree = (_: Found, before: string): Record<string, never> | undefined =>
  /^[;{}]$/.test(before) ? {} : undefined

const propertyRules = ['$of.$key', '$of[$key]'].map((property): RuleText => ({
  from: `if(${property} !== undefined){let $d = ${property};`,
  to: `let $d = ${property};if($d !== undefined){`,
  where: isFree,
}))

export const flatRules: Rules = createRules([...guardRules, ...propertyRules])
