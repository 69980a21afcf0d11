/**
 * The errors of a validator that reports every one (`allErrors`), in a list that is there from the start.
 *
 * Ajv makes the list when there is a first error, and counts beside it what it holds. Code that does neither is less to read,
 * and adds an error sooner.
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
  if (listed.some((token, at) => token.text === 'vErrors' || isCountSet(listed, at))) {
    if (tokens.some(({ text }) => LIGHT.test(text)))
      throw new SyntaxError('Not a validator as Ajv 8 makes them')
    return tokens
  }
  used.forEach(use)
  return listed.flatMap((token, at) =>
    isCount(listed, at) ? COUNT.map((one, i) => (i > 0 ? one : { ...one, gap: token.gap })) : token,
  )
}

function isCount(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === 'errors' && tokens[at - 1]?.text !== '.'
}

/** Whether `errors = ...` or `errors++` is there, but not `errors === ...`. */
function isCountSet(tokens: readonly Token[], at: number): boolean {
  const [next, afterNext] = [tokens[at + 1]?.text ?? '', tokens[at + 2]?.text]
  return isCount(tokens, at) && (next === '=' ? afterNext !== '=' : /^[+-]$/.test(next))
}
