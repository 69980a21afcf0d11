import { type Alternative, typeNames } from './alternatives.ts'
import type { Finding } from './findings.ts'
import { membersOf } from './nodes.ts'

/** Longer values are truncated. */
const MAX_LENGTH = 60

/** Describes a finding from the client's point of view. */
export function describe(
  { keyword, one, other }: Finding,
  rule: 'request-changed' | 'response-changed',
  isBreaking: boolean,
): string {
  const isRequest = rule === 'request-changed'
  // A request breaks if its values are rejected now; a response breaks if its values were not allowed before.
  const [before, now] = isRequest === isBreaking ? [one, other] : [other, one]
  switch (keyword) {
    case 'required':
      if (isRequest) return isBreaking ? 'is required now' : 'is not required any more'
      return isBreaking ? 'may be missing now' : 'is always sent now'
    case 'missing':
      return 'is not sent any more'
    case 'dropped':
      return 'is ignored now'
    case 'undeclared':
      return isRequest ? 'may be sent now' : 'is sent now'
    case 'additionalProperties':
      // Only of requests: clients don't mind additional members of responses.
      return isBreaking ? 'is not allowed any more' : 'is allowed now'
    case 'false':
      if (isRequest) return isBreaking ? 'is refused now' : 'is accepted now'
      return isBreaking ? 'may be sent now' : 'is not sent any more'
    case 'enum':
      return `enum: ${listText(before)} → ${listText(now)}`
    case 'type':
      return `type: ${typeText(before)} → ${typeText(now)}`
    case 'anyOf':
    case 'oneOf':
      if (!isRequest) return `${keyword}: allows ${isBreaking ? 'more' : 'less'} than before`
      return isBreaking
        ? `${keyword}: no alternative takes all that was taken before`
        : `${keyword}: takes more than before`
    default:
      return `${keyword}: ${show(before)} → ${show(now)}`
  }
}

function typeText(value: unknown): string {
  const names = isAlternative(value) ? allTypes(value) : value
  return names === undefined ? 'any' : [names].flat().join(' or ')
}

/** Returns all types that an alternative was split from, of its last schema that lists any. */
function allTypes({ atoms }: Alternative): readonly unknown[] | undefined {
  return atoms.map((atom) => typeNames(membersOf(atom))).findLast((names) => names !== undefined)
}

function listText(value: unknown): string {
  return isAlternative(value) ? `any ${value.isInteger ? 'integer' : value.type}` : show(value)
}

function isAlternative(value: unknown): value is Alternative {
  return typeof value === 'object' && value !== null && 'atoms' in value
}

function show(value: unknown): string {
  if (value === undefined || isAlternative(value)) return 'none'
  const text = JSON.stringify(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text
}
