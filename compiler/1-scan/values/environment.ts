/** What is not known because environment variables decide it. */

/** The variables that a value depends on. */
export interface Environment {
  /** In the order in which they were read. */
  readonly variables: readonly string[]
  /** The environment was read as a whole, too. */
  readonly isWhole: boolean
  /** The value is what these properties lead to, from one that depends on the variables. */
  readonly path: readonly string[]
}

/** More would hide what is said of them. */
const maxNames = 4

/** @param variables without any, the environment as a whole */
export function environmentOf(variables: readonly string[]): Environment {
  return { variables, isWhole: variables.length === 0, path: [] }
}

/** Completes a sentence: "…, but <why>". */
export function describeEnvironment({ variables, isWhole, path }: Environment): string {
  const of = path.length > 0 ? `is \`${path.join('.')}\` of a value that ` : ''
  return `it ${of}depends on the environment${isWhole ? '' : describeVariables(variables)}`
}

function describeVariables(variables: readonly string[]): string {
  const isLong = variables.length > maxNames
  const named = isLong ? variables.slice(0, maxNames - 1) : variables
  const rest = isLong ? ` and ${variables.length - named.length} more` : ''
  const names = named.map((name) => `\`${name}\``).join(', ')
  return ` variable${variables.length > 1 ? 's' : ''} ${names}${rest}`
}

/** What a property of a value depends on: when it has the name of a variable, on that one. */
export function propertyOf(owner: Environment, key: string): Environment {
  if (owner.variables.includes(key)) return { variables: [key], isWhole: false, path: [] }
  // A property of a variable's own value, as in `settings.LIMIT.maximum`.
  return { ...owner, path: [...owner.path, key] }
}

/** What a value depends on that is made of others. */
export function madeOf(parts: readonly Environment[]): Environment {
  return {
    variables: [...new Set(parts.flatMap(({ variables }) => variables))],
    isWhole: parts.some(({ isWhole }) => isWhole),
    path: [],
  }
}
