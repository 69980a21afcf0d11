/** What validators take and give: no more than somebody asks for. */
import { createRules, rewrite, type Rules } from './rewrite.ts'
import { mentions } from './statements.ts'
import { tokenize, type Token } from './tokens.ts'

/** By name, what Ajv lets callers say about where the value stands. */
const CONTEXT: ReadonlyMap<string, string> = new Map([
  ['instancePath', 'instancePath=""'],
  ['parentData', 'parentData'],
  ['parentDataProperty', 'parentDataProperty'],
  ['rootData', 'rootData=data'],
])

/** What follows on the name of a validator, up to its body. */
const PARAMETERS = tokenize(`(data,{${[...CONTEXT.values()].join()}}={}){`)

/** Leaves out of the parameters of a validator what its code does not mention, if they are the usual ones. */
export function slim(tokens: readonly Token[]): readonly Token[] {
  const { head, body } = split(tokens)
  if (body === undefined) return tokens
  const needed = neededBy(body)
  const parameters = needed.length === 0 ? 'data' : `data,{${needed.join()}}={}`
  return [...head, ...tokenize(`(${parameters}){`), ...body]
}

/**
 * Makes a validator take nothing but the value and give its errors, or `null`: for those who say themselves where the
 * value stands. The engine can do without the call of a function that is as small as that.
 */
export function lighten(tokens: readonly Token[]): readonly Token[] {
  const { head, body } = split(tokens)
  if (body === undefined) throw new SyntaxError('Not a validator as Ajv 8 makes them')
  const light = rewrite(body, rulesFor((head.at(-1) as Token).text))
  const variables = neededBy(light).map((one) => `let ${one};`)
  return [...head, ...tokenize(`(data){${variables.join('')}`), ...light]
}

/** Parts a validator before and after its parameters. */
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

/** @param name of the function, which keeps its errors as Ajv does */
function rulesFor(name: string): Rules {
  return createRules([
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
  ])
}
