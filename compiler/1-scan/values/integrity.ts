/** Frozen, sealed and non-extensible objects. */
import { ts, type Node } from '../project.ts'
import { forEachOption } from './distribution.ts'
import type { Machine } from './machine.ts'
import { makeError, Thrown } from './thrown.ts'
import { absent, hole, primitive, unknown, type Member, type Value } from './index.ts'

/** The integrity levels set by `Object.freeze`, `Object.seal` and `Object.preventExtensions`. */
export type Integrity = 'frozen' | 'sealed' | 'fixed'

/** A change to a property. */
export type Change = 'write' | 'add' | 'delete'

const refused: Readonly<Record<Integrity, readonly Change[]>> = {
  frozen: ['write', 'add', 'delete'],
  sealed: ['add', 'delete'],
  fixed: ['add'],
}

/** The key of the member that holds the integrity level. */
const kIntegrity: unique symbol = Symbol('integrity')

type Owner = Extract<Value, { readonly members: Map<string | symbol, Member> }>

/** Sets the integrity level of an object, unless it has a stricter one. */
export function restrict(m: Machine, owner: Value, level: Integrity, at: Node): void {
  if (!('members' in owner)) return
  const known = owner.members.get(kIntegrity)?.value
  const isStricter =
    known?.kind !== 'primitive' || refused[level].length > refused[known.value as Integrity].length
  if (!isStricter) return
  m.journal.setMember(owner, kIntegrity, { value: primitive(level, at), at, hidden: true })
}

/** Returns whether an object may be frozen, sealed or not extensible. */
export function isRestricted(owner: { readonly members: Map<string | symbol, Member> }): boolean {
  return owner.members.has(kIntegrity)
}

/** Changes to an object. */
interface PropertyChange {
  readonly changes: readonly Change[]
  /** The property; `undefined` for methods of lists, which throw in sloppy code, too. */
  readonly key: string | symbol | undefined
}

/** Changes an object unless its integrity level refuses it. Refused changes throw in strict code, and do nothing in sloppy code. */
export function changeIfAllowed(
  m: Machine,
  owner: Owner,
  { changes, key }: PropertyChange,
  at: Node,
  change: () => void,
): void {
  const level = owner.members.get(kIntegrity)?.value
  if (level === undefined) return change()
  forEachOption(m, level, at, (one) => {
    const refusal =
      one === absent || one.kind !== 'primitive'
        ? undefined
        : changes.find((each) => refused[one.value as Integrity].includes(each))
    if (refusal === undefined) change()
    else if (key === undefined || isStrict(at)) {
      throw new Thrown(makeError('TypeError', messageOf(refusal, key, owner, at), at), at)
    }
  })
}

function messageOf(
  change: Change,
  key: string | symbol | undefined,
  owner: Owner,
  at: Node,
): Value {
  if (typeof key !== 'string') return unknown('the name of the refused property is not known', at)
  const what = owner.kind === 'array' ? '[object Array]' : '#<Object>'
  const messages: Readonly<Record<Change, string>> = {
    add: `Cannot add property ${key}, object is not extensible`,
    delete: `Cannot delete property '${key}' of ${what}`,
    write: `Cannot assign to read only property '${key}' of object '${what}'`,
  }
  return primitive(messages[change], at)
}

/** Returns the change that setting a property makes. */
export function changeOf(owner: Owner, key: string | symbol): Change {
  const isThere =
    owner.kind === 'array' && typeof key === 'string' && Number.isInteger(Number(key))
      ? (owner.elements[Number(key)] ?? hole) !== hole
      : owner.members.has(key) || (owner.kind === 'array' && key === 'length')
  return isThere ? 'write' : 'add'
}

/** Returns whether code is strict: in modules, classes, and after `'use strict'`. */
function isStrict(at: Node): boolean {
  for (let node = at; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isClassLike(node)) return true
    if (ts.isFunctionLike(node) && 'body' in node && hasDirective(node.body)) return true
  }
  const file = at.getSourceFile()
  return ts.isExternalModule(file) || /\.(?:m[jt]s|tsx?)$/.test(file.fileName) || hasDirective(file)
}

function hasDirective(body: Node | undefined): boolean {
  if (body === undefined || !(ts.isBlock(body) || ts.isSourceFile(body))) return false
  const [first] = body.statements
  if (first === undefined || !ts.isExpressionStatement(first)) return false
  return ts.isStringLiteral(first.expression) && first.expression.text === 'use strict'
}
