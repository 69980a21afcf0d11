/**
 * The errors of a validator that reports every one (`allErrors`), in a list that is there from the start.
 *
 * Ajv makes the list when there is a first error, and counts beside it what it holds. Code that does neither is shorter,
 * and quicker to add an error.
 */
import { isLight, LIGHT } from './error-rules.ts'
import { createRules, rewrite } from './rewrite.ts'
import { tokenize, type Token } from './tokens.ts'

/** What the code calls the list. Ajv has no such name. */
export const LIST = 'errorList'

export const LIST_START: string = `const ${LIST} = [];`

/** How a validator ends that keeps its errors, after its name and a dot. */
export const LIST_END: string = `errors = ${LIST}.length === 0 ? null : ${LIST};return ${LIST}.length === 0;`

/**
 * Calls of functions that add their errors to the list. Where the value stands they are told if the path of the caller and a
 * text say it; else a path is put together only when there are errors.
 */
const lightCalls = [
  {
    path: 'instancePath+$path',
    to: `$check($$value,instancePath+$path,${LIST});`,
  },
  {
    path: '$$path',
    to: `{const before = ${LIST}.length;$check($$value,"",${LIST});
      if(${LIST}.length !== before){moveFrom(${LIST},before,$$path);}}`,
    uses: ['moveFrom'],
  },
].map(({ path, to, uses = [] }) => ({
  from: `if(!$check($$value)){
    vErrors = collectWithin(vErrors,$check.errors,${path});errors = vErrors.length;}`,
  to,
  uses,
  where: isLight,
}))

const rules = createRules([
  ...lightCalls,
  { from: 'let vErrors = null;let errors = 0;', to: LIST_START },
  {
    from: `const $error = $$made;if(vErrors === null){vErrors = [$error];}else {vErrors.push($error);}errors++;`,
    to: `${LIST}.push($$made);`,
  },
  {
    from: `vErrors = vErrors === null ? $$more : vErrors.concat($$more);errors = vErrors.length;`,
    to: `collectAll(${LIST},$$more);`,
    uses: ['collectAll'],
  },
  {
    from: `vErrors = collectWithin(vErrors,$$more,$$path);errors = vErrors.length;`,
    to: `collectWithin(${LIST},$$more,$$path);`,
  },
  {
    from: `errors = $count;if(vErrors !== null){if($count){vErrors.length = $count;}else {vErrors = null;}}`,
    to: `takeBack(${LIST},$count);`,
    uses: ['takeBack'],
  },
  { from: 'errors = vErrors;return errors === 0;', to: LIST_END },
])

/** What stands beside a variable that is compared or copied. */
const BEFORE = /^(?:[=(]|return)$/
const AFTER = /^[;)<>]$/

const COUNT = tokenize(`${LIST}.length`)

/**
 * The same tokens where something else is done with the errors, as keywords of the user's may.
 *
 * @param use told the names that the code then takes from `framework/internal`
 */
export function listErrors(
  tokens: readonly Token[],
  use: (name: string) => void,
): readonly Token[] {
  const used = new Set<string>()
  const listed = rewrite(tokens, rules, (name) => used.add(name))
  const isOther = (at: number): boolean =>
    isVariable(listed, at, 'vErrors') || (isVariable(listed, at, 'errors') && !isRead(listed, at))
  if (listed.some((_, at) => isOther(at))) {
    if (tokens.some(({ text }) => LIGHT.test(text)))
      throw new SyntaxError('Not a validator as Ajv 8 makes them')
    return tokens
  }
  used.forEach(use)
  return listed.flatMap((token, at) =>
    isVariable(listed, at, 'errors')
      ? COUNT.map((one, i) => (i > 0 ? one : { ...one, gap: token.gap }))
      : token,
  )
}

function isVariable(tokens: readonly Token[], at: number, name: string): boolean {
  return tokens[at]?.text === name && tokens[at - 1]?.text !== '.'
}

/** Whether the variable is compared, or what another becomes; in a call or an object it could be anything. */
function isRead(tokens: readonly Token[], at: number): boolean {
  const [before, next, afterNext] = [-1, 1, 2].map((i) => tokens[at + i]?.text ?? '')
  return (
    BEFORE.test(before as string) && (next === '=' ? afterNext === '=' : AFTER.test(next as string))
  )
}
