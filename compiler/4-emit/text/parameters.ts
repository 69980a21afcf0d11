/** Removes unused parameters of validators, and simplifies how they return errors. */
import { createRules, rewrite, type Rules } from './rewrite.ts'
import { mentions } from './statements.ts'
import { tokenize, type Token } from './tokens.ts'

/** Ajv's parameters for the place of the value, by name. */
const CONTEXT: ReadonlyMap<string, string> = new Map([
  ['instancePath', 'instancePath=""'],
  ['parentData', 'parentData'],
  ['parentDataProperty', 'parentDataProperty'],
  ['rootData', 'rootData=data'],
])

/** The code between the name of a validator and its body. */
const PARAMETERS = tokenize(`(data,{${[...CONTEXT.values()].join()}}={}){`)

/** Removes the parameters that a validator doesn't read. */
export function slim(tokens: readonly Token[]): readonly Token[] {
  const { head, body } = split(tokens)
  if (body === undefined) return tokens
  const needed = neededBy(body).join()
  return [...head, ...tokenize(needed ? `(data,{${needed}}={}){` : '(data){'), ...body]
}

/** Makes a validator take the value alone and return its errors or `null`. The engine can inline such functions. */
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
  const hasParameters = PARAMETERS.every(({ text }, i) => text === tokens[start + i]?.text)
  return { head: tokens.slice(0, start), body: hasParameters ? tokens.slice(end) : undefined }
}

function neededBy(body: readonly Token[]): readonly string[] {
  const mentioned = mentions(body)
  return [...CONTEXT].flatMap(([name, code]) => (mentioned.has(name) ? code : []))
}

/** @param name the name of the function, which has its errors as a property */
function directRules(name: string): Rules {
  return createRules([
    { from: `${name}.errors = null;return true;`, to: 'return null;' },
    {
      from: `${name}.errors = vErrors;return errors === 0;`,
      to: 'return errors === 0 ? null : vErrors;',
    },
    { from: `${name}.errors = $$errors;return false;`, to: 'return $$errors;' },
    // Keeps the key, so that the last rule doesn't replace it.
    { from: 'instancePath:', to: 'instancePath:' },
    { from: '{instancePath,', to: '{instancePath:"",' },
    // Any other expression keeps `""+`, which makes it a string.
    {
      from: 'instancePath+$path',
      to: '$path',
      where: (found) => (found('$path').startsWith('"') ? {} : undefined),
    },
    { from: 'instancePath', to: '""' },
  ])
}
