/** Reduces parameters and results of validators to what is needed. */
import { createRules, rewrite, type RuleText, type Rules } from './rewrite.ts'
import { mentions } from './statements.ts'
import { tokenize, type Token } from './tokens.ts'

/** Ajv's parameters for the place of the value, by name. */
const CONTEXT: ReadonlyMap<string, string> = new Map([
  ['instancePath', 'instancePath=""'],
  ['parentData', 'parentData'],
  ['parentDataProperty', 'parentDataProperty'],
  ['rootData', 'rootData=data'],
])

const PLACE = 'place'

/** The code between the name of a validator and its body. */
const PARAMETERS = tokenize(`(data,{${[...CONTEXT.values()].join()}}={}){`)

/**
 * Removes unused parameters. Functions that end a validator with an error read the path from the parameter object themselves, so that
 * valid values cost nothing.
 *
 * @param use is called with imports from `framework/internal`
 */
export function slim(tokens: readonly Token[], use: (name: string) => void): readonly Token[] {
  const { head, body } = split(tokens)
  if (body === undefined) return tokens
  const used = new Set<string>()
  const ending = rewrite(body, endingRules((head.at(-1) as Token).text), (name) => used.add(name))
  used.forEach(use)
  const needed = neededBy(ending).join()
  if (used.size === 0)
    return [...head, ...tokenize(needed ? `(data,{${needed}}={}){` : '(data){'), ...body]
  const parameters = needed ? `(data,${PLACE}={}){let {${needed}}=${PLACE};` : `(data,${PLACE}){`
  return [...head, ...tokenize(parameters), ...ending]
}

/** Makes a validator take the value alone and return its errors or `null`. The engine inlines such functions. */
export function toDirect(tokens: readonly Token[]): readonly Token[] {
  const { head, body } = split(tokens)
  if (body === undefined) throw new SyntaxError('Not a validator as Ajv 8 makes them')
  const direct = rewrite(body, directRules((head.at(-1) as Token).text))
  const variables = neededBy(direct).map((one) => `let ${one};`)
  return [...head, ...tokenize(`(data){${variables.join('')}`), ...direct]
}

/** Splits a validator before and after its parameters. */
function split(tokens: readonly Token[]): {
  readonly head: readonly Token[]
  readonly body?: readonly Token[] | undefined
} {
  const start = tokens.findIndex(({ text }) => text === '(')
  const end = start + PARAMETERS.length
  const isKnown = PARAMETERS.every(({ text }, i) => text === tokens[start + i]?.text)
  return { head: tokens.slice(0, start), body: isKnown ? tokens.slice(end) : undefined }
}

function neededBy(body: readonly Token[]): readonly string[] {
  const mentioned = mentions(body)
  return [...CONTEXT].flatMap(([name, code]) => (mentioned.has(name) ? code : []))
}

/** The further arguments of functions that make errors. */
const ABOUT = ['$$a', '$$a,$$b', '$$a,$$b,$$c']

/** @param name the name of the function, which has its errors as a property */
const endingRules = eachOnce((name) => {
  const failures = ABOUT.flatMap((about): RuleText[] => [
    {
      from: `${name}.errors = [$make(instancePath,$schema,${about})];return false;`,
      to: `return fail(${name},${PLACE},"",$schema,$make,${about});`,
      uses: ['fail'],
    },
    {
      from: `${name}.errors = [$make(instancePath+$$path,$schema,${about})];return false;`,
      to: `return fail(${name},${PLACE},$$path,$schema,$make,${about});`,
      uses: ['fail'],
    },
  ])
  return createRules([
    ...failures,
    {
      from: `${name}.errors = within($errors,instancePath+$$path);return false;`,
      to: `return failWithin(${name},${PLACE},$$path,$errors);`,
      uses: ['failWithin'],
    },
  ])
})

/** @param name the name of the function, which has its errors as a property */
const directRules = eachOnce((name) =>
  createRules([
    { from: `${name}.errors = null;return true;`, to: 'return null;' },
    {
      from: `${name}.errors = vErrors;return errors === 0;`,
      to: 'return errors === 0 ? null : vErrors;',
    },
    { from: `${name}.errors = $$errors;return false;`, to: 'return $$errors;' },
    { from: 'instancePath:', to: 'instancePath:' },
    { from: '{instancePath,', to: '{instancePath:"",' },
    {
      from: 'instancePath+$path',
      to: '$path',
      where: (found) => (found('$path').startsWith('"') ? {} : undefined),
    },
    { from: 'instancePath', to: '""' },
  ]),
)

/** Caches the rules by name. There are few names, because functions are numbered. */
function eachOnce(make: (name: string) => Rules): (name: string) => Rules {
  const made = new Map<string, Rules>()
  return (name) => {
    let rules = made.get(name)
    if (rules === undefined) made.set(name, (rules = make(name)))
    return rules
  }
}
