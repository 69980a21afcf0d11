/** Describes values that depend on environment variables. */

export interface Environment {
  /** The names, in the order of reading. */
  readonly variables: readonly string[]
  /** Set when the environment was read as a whole. */
  readonly isWhole: boolean
  /** Properties that lead from the value of the variables to this value. */
  readonly path: readonly string[]
}

/** Longer lists are cut in messages. */
const maxNames = 4

/** @param variables if empty, the environment as a whole */
export function environmentOf(variables: readonly string[]): Environment {
  return { variables, isWhole: variables.length === 0, path: [] }
}

/** Completes a sentence: "… cannot be known without running the application: <why>". */
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

/** Returns the environment of a property. A property named like a variable depends on that variable only. */
export function propertyOf(owner: Environment, key: string): Environment {
  if (owner.variables.includes(key)) return { variables: [key], isWhole: false, path: [] }
  return { ...owner, path: [...owner.path, key] }
}

/** Returns the environment of a value made of others. */
export function mergeEnvironments(parts: readonly Environment[]): Environment {
  return {
    variables: [...new Set(parts.flatMap(({ variables }) => variables))],
    isWhole: parts.some(({ isWhole }) => isWhole),
    path: [],
  }
}
