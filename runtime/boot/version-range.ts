/** Version ranges by the rules of npm's `semver` package, which takes as long to load as a small application takes to start. */

type Numbers = readonly [major: number, minor: number, patch: number]

interface Comparator {
  readonly operator: '<' | '<=' | '>' | '>=' | '='
  readonly numbers: Numbers
  /** True if it names a prerelease. Each release is greater than its own prereleases. */
  readonly isPrerelease: boolean
}

const identifier = String.raw`(?:\d*[a-zA-Z-][a-zA-Z\d-]*|0|[1-9]\d*)`
const part = String.raw`(0|[1-9]\d*|[xX*])`
const partial = String.raw`[v=]*${part}(?:\.${part}(?:\.${part}(-${identifier}(?:\.${identifier})*)?)?)?`
const hyphenRange = new RegExp(`^${partial} - ${partial}$`)
const comparator = new RegExp(String.raw`^(\^|~>?|[<>]?=?)${partial}$`)
const build = /\+[a-zA-Z\d-]+(?:\.[a-zA-Z\d-]+)*/g

/** Returns whether a release such as `4.21.0` is in a range. Returns false for an invalid range. */
export function satisfies(release: string, range: string): boolean {
  const numbers = toNumbers(release.split('.'))
  const alternatives = range.split('||').map(parseComparators)
  if (alternatives.includes(undefined)) return false
  return alternatives.some((comparators) => comparators?.every((one) => includes(one, numbers)))
}

/** Returns whether a release is newer than the first version in a range. */
export function isNewer(release: string, range: string): boolean {
  const [first = ''] = /\d+(?:\.\d+){0,2}/.exec(range) ?? []
  return satisfies(release, `>${[...first.split('.'), 0, 0].slice(0, 3).join('.')}`)
}

function includes({ operator, numbers, isPrerelease }: Comparator, release: Numbers): boolean {
  const order =
    release[0] - numbers[0] ||
    release[1] - numbers[1] ||
    release[2] - numbers[2] ||
    Number(isPrerelease)
  if (order === 0) return operator.includes('=')
  return operator.startsWith(order < 0 ? '<' : '>')
}

/** Returns the comparators that all have to hold, or `undefined` for an invalid range. */
function parseComparators(text: string): Comparator[] | undefined {
  const range = text.replaceAll(build, '').trim().replaceAll(/\s+/g, ' ')
  const hyphen = hyphenRange.exec(range)
  if (hyphen !== null) {
    return [...toComparators('>=', hyphen.slice(1, 5)), ...toComparators('<=', hyphen.slice(5, 9))]
  }
  const comparators: Comparator[] = []
  for (const token of range.replaceAll(/(\^|~>?|[<>]=?|=) /g, '$1').split(' ')) {
    if (token === '') continue
    const found = comparator.exec(token)
    if (found === null) return undefined
    const [, operator = '', ...parts] = found
    if (!/[\^~]/.test(operator) && (hasGap(parts) || hasTwoSigns(token, parts))) return undefined
    comparators.push(...toComparators(operator, parts))
  }
  return comparators
}

type Part = string | undefined

function toComparators(operator: string, parts: readonly Part[]): Comparator[] {
  const [majorPart, minorPart, patchPart, prerelease] = parts
  // `<*` and `>*` match nothing.
  if (isAny(majorPart)) return operator === '<' || operator === '>' ? [below([0, 0, 0])] : []
  const isFull = !isAny(minorPart) && !isAny(patchPart)
  const [major, minor, patch] = toNumbers(
    isAny(minorPart) ? [majorPart] : [majorPart, minorPart, patchPart],
  )
  const numbers: Numbers = [major, minor, patch]
  const isPrerelease = isFull && prerelease !== undefined
  const atLeast: Comparator = { operator: '>=', numbers, isPrerelease }
  /** The first version that `~` and a partial version exclude. */
  const next: Numbers = isAny(minorPart) ? [major + 1, 0, 0] : [major, minor + 1, 0]
  if (operator.startsWith('~')) return [atLeast, below(next)]
  if (operator === '^') {
    if (major > 0) return [atLeast, below([major + 1, 0, 0])]
    return [atLeast, below(minor > 0 || !isFull ? next : [0, 0, patch + 1])]
  }
  if (isFull) {
    return [{ operator: (operator || '=') as Comparator['operator'], numbers, isPrerelease }]
  }
  if (operator === '>') return [{ operator: '>=', numbers: next, isPrerelease: false }]
  if (operator === '>=') return [atLeast]
  if (operator === '<') return [below(numbers)]
  return operator === '<=' ? [below(next)] : [atLeast, below(next)]
}

/** Excludes a version with its prereleases. */
function below(numbers: Numbers): Comparator {
  return { operator: '<', numbers, isPrerelease: true }
}

/** Returns whether a number follows an `x`, as in `1.x.3`. */
function hasGap([major, minor, patch]: readonly Part[]): boolean {
  return (isAny(major) && !isAny(minor)) || (isAny(minor) && !isAny(patch))
}

/** Returns whether a full version has more before it than an operator and a `v`, as in `>==1.2.3`. */
function hasTwoSigns(token: string, parts: readonly Part[]): boolean {
  return !parts.slice(0, 3).some(isAny) && !/^[<>]?=?v?\d/.test(token)
}

function isAny(text: Part): boolean {
  return text === undefined || text === '*' || text === 'x' || text === 'X'
}

function toNumbers([major, minor, patch]: readonly Part[]): Numbers {
  return [toNumber(major), toNumber(minor), toNumber(patch)]
}

function toNumber(text: Part): number {
  return isAny(text) ? 0 : Number(text)
}
