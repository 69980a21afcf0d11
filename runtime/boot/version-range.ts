/** Major, minor and patch, and the identifiers of a prerelease. */
interface Version {
  readonly numbers: readonly [number, number, number]
  readonly prerelease: readonly string[]
}

interface Bound {
  readonly operator: '<' | '<=' | '>' | '>=' | '='
  readonly version: Version
}

const identifier = String.raw`(?:\d*[a-zA-Z-][a-zA-Z\d-]*|0|[1-9]\d*)`
const prerelease = String.raw`-(${identifier}(?:\.${identifier})*)`
const number = String.raw`(0|[1-9]\d*)`
const part = String.raw`(0|[1-9]\d*|[xX*])`
const partial = String.raw`[v=]*${part}(?:\.${part}(?:\.${part}(?:${prerelease})?)?)?`
const build = /\+[a-zA-Z\d-]+(?:\.[a-zA-Z\d-]+)*/g

/**
 * Whether a version lies in a range, by the rules of npm's semver; false when either cannot be read.
 *
 * That package takes longer to load than a small application to start, and a plugin's range is the only
 * thing that needs it.
 */
export function satisfies(version: string, range: string, includePrerelease: boolean): boolean {
  const parsed = parseVersion(version)
  if (parsed === undefined) return false
  const alternatives = range.split('||').map((text) => parseBounds(text, includePrerelease))
  if (alternatives.includes(undefined)) return false
  return alternatives.some((bounds) => isInside(parsed, bounds ?? [], includePrerelease))
}

/** Whether a version is newer than the first thing in `text` that looks like one. */
export function isNewerThan(version: string, text: string): boolean {
  const found = /(?:^|\D)(\d{1,16})(?:\.(\d{1,16}))?(?:\.(\d{1,16}))?(?:$|\D)/.exec(text)
  if (found === null) return false
  const [, major, minor = 0, patch = 0] = found
  const parsed = parseVersion(version)
  const named = parseVersion(`${major}.${minor}.${patch}`)
  return parsed !== undefined && named !== undefined && compare(parsed, named) > 0
}

function parseVersion(text: string): Version | undefined {
  const full = new RegExp(`^v?${number}\\.${number}\\.${number}(?:${prerelease})?$`)
  const found = full.exec(text.replace(build, ''))
  if (found === null) return undefined
  const [, major, minor, patch, identifiers] = found
  return release(Number(major), Number(minor), Number(patch), identifiers?.split('.'))
}

function isInside(version: Version, bounds: readonly Bound[], includePrerelease: boolean): boolean {
  if (!bounds.every((bound) => isWithin(version, bound))) return false
  if (version.prerelease.length === 0 || includePrerelease) return true
  // A prerelease is only meant where the range names one of the same release.
  return bounds.some(
    (bound) =>
      bound.version.prerelease.length > 0 &&
      bound.version.numbers.join('.') === version.numbers.join('.'),
  )
}

function isWithin(version: Version, { operator, version: limit }: Bound): boolean {
  const order = compare(version, limit)
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '=':
      return order === 0
  }
}

/** The bounds that all have to hold; `undefined` for what is no range. */
function parseBounds(text: string, includePrerelease: boolean): Bound[] | undefined {
  const range = text.replaceAll(build, '').trim().replaceAll(/\s+/g, ' ')
  const hyphen = new RegExp(`^${partial} - ${partial}$`).exec(range)
  if (hyphen !== null) {
    const from = toLimits(hyphen.slice(1, 5), includePrerelease)
    const to = toLimits(hyphen.slice(5, 9), includePrerelease)
    return [...lowerBound(from, includePrerelease), ...upperBound(to, includePrerelease)]
  }
  const bounds: Bound[] = []
  const comparator = new RegExp(`^(\\^|~>?|[<>]?=?)${partial}$`)
  for (const token of range.replaceAll(/(\^|~>?|[<>]=?|=) /g, '$1').split(' ')) {
    if (token === '') continue
    const found = comparator.exec(token)
    if (found === null) return undefined
    const [, operator = '', ...parts] = found
    if (!/[\^~]/.test(operator) && (hasGap(parts) || hasTwoSigns(token, parts))) return undefined
    bounds.push(...toBounds(operator, toLimits(parts, includePrerelease)))
  }
  return bounds
}

type Part = string | undefined

/** A version, perhaps without its last numbers, as the limits of all that it stands for. */
interface Limits {
  readonly kind: 'any' | 'partial' | 'full'
  readonly from: Version
  /** The first that `~` leaves out, and what a partial version leaves out. */
  readonly after: Version
  /** The first that `^` leaves out. */
  readonly breaking: Version
}

function toLimits(
  [majorPart, minorPart, patchPart, pre]: Part[],
  includePrerelease: boolean,
): Limits {
  const kind = isAny(majorPart) ? 'any' : isAny(minorPart) || isAny(patchPart) ? 'partial' : 'full'
  const major = toNumber(majorPart)
  const minor = toNumber(minorPart)
  const patch = isAny(minorPart) ? 0 : toNumber(patchPart)
  const lowest = includePrerelease ? first : []
  const from = release(major, minor, patch, kind === 'full' ? pre?.split('.') : lowest)
  const nextMajor = release(major + 1, 0, 0, first)
  const nextMinor = release(major, minor + 1, 0, first)
  const after = isAny(minorPart) ? nextMajor : nextMinor
  const nextBelowOne = minor > 0 || kind === 'partial' ? after : release(0, 0, patch + 1, first)
  return { kind, from, after, breaking: major > 0 ? nextMajor : nextBelowOne }
}

function toBounds(operator: string, { kind, from, after, breaking }: Limits): Bound[] {
  if (kind === 'any') {
    return operator === '<' || operator === '>' ? [{ operator: '<', version: lowestOfAll }] : []
  }
  const atLeast: Bound = { operator: '>=', version: from }
  if (operator === '^') return [atLeast, { operator: '<', version: breaking }]
  if (operator.startsWith('~')) return [atLeast, { operator: '<', version: after }]
  if (kind === 'full') {
    return [{ operator: (operator || '=') as Bound['operator'], version: from }]
  }
  const { numbers } = after
  switch (operator) {
    case '>':
      return [{ operator: '>=', version: { numbers, prerelease: from.prerelease } }]
    case '>=':
      return [atLeast]
    case '<':
      return [{ operator: '<', version: { numbers: from.numbers, prerelease: first } }]
    case '<=':
      return [{ operator: '<', version: after }]
    default:
      return [atLeast, { operator: '<', version: after }]
  }
}

/** What `1.2.3 -` stands for. */
function lowerBound({ kind, from }: Limits, includePrerelease: boolean): Bound[] {
  if (kind === 'any') return []
  if (!includePrerelease || from.prerelease.length > 0) return [{ operator: '>=', version: from }]
  return [{ operator: '>=', version: { numbers: from.numbers, prerelease: first } }]
}

/** What `- 1.2.3` stands for. */
function upperBound({ kind, from, after }: Limits, includePrerelease: boolean): Bound[] {
  if (kind === 'any') return []
  if (kind === 'partial') return [{ operator: '<', version: after }]
  if (!includePrerelease || from.prerelease.length > 0) return [{ operator: '<=', version: from }]
  const [major, minor, patch] = from.numbers
  return [{ operator: '<', version: release(major, minor, patch + 1, first) }]
}

/** Whether a number follows an `x`, as in `1.x.3`. */
function hasGap([major, minor, patch]: Part[]): boolean {
  return (isAny(major) && !isAny(minor)) || (isAny(minor) && !isAny(patch))
}

/** Whether a full version has more before it than an operator and a `v`, as in `>==1.2.3`. */
function hasTwoSigns(token: string, parts: Part[]): boolean {
  return !parts.slice(0, 3).some(isAny) && !/^[<>]?=?v?\d/.test(token)
}

function isAny(text: Part): boolean {
  return text === undefined || text === '*' || text === 'x' || text === 'X'
}

function toNumber(text: Part): number {
  return isAny(text) ? 0 : Number(text)
}

/** The prerelease before all others of a release. */
const first: readonly string[] = ['0']
const lowestOfAll = release(0, 0, 0, first)

function release(
  major: number,
  minor: number,
  patch: number,
  prerelease: readonly string[] = [],
): Version {
  return { numbers: [major, minor, patch], prerelease }
}

/** Negative, zero or positive, as for `sort`. */
function compare(a: Version, b: Version): number {
  for (const [i, n] of a.numbers.entries()) {
    const order = n - b.numbers[i]!
    if (order !== 0) return order
  }
  // A release comes after its prereleases.
  if (a.prerelease.length === 0) return b.prerelease.length
  if (b.prerelease.length === 0) return -1
  for (const [i, id] of a.prerelease.entries()) {
    const other = b.prerelease[i]
    if (other === undefined) return 1
    const order = compareIdentifiers(id, other)
    if (order !== 0) return order
  }
  return a.prerelease.length - b.prerelease.length
}

/** Numbers come before words. */
function compareIdentifiers(a: string, b: string): number {
  const areNumbers = [isNumber(a), isNumber(b)]
  if (areNumbers[0] && areNumbers[1]) return Number(a) - Number(b)
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}

function isNumber(identifier: string): boolean {
  return /^\d+$/.test(identifier)
}
