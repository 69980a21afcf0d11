/** Marks objects as frozen, and checks changes of them. */
import { ts, type Node } from '../project.ts'
import { forEachOption } from './distribution.ts'
import type { Machine } from './machine.ts'
import { makeError, Thrown } from './thrown.ts'
import { hole, primitive, unknown, type Member, type Value } from './index.ts'

/** The key of the member that marks a frozen object. */
const kFrozen: unique symbol = Symbol('frozen')

type Owner = Extract<Value, { readonly members: Map<string | symbol, Member> }>

export function freeze(m: Machine, owner: Value, at: Node): void {
  if (!('members' in owner)) return
  m.journal.setMember(owner, kFrozen, { value: primitive(true, at), at, hidden: true })
}

export function mayBeFrozen(owner: { readonly members: Owner['members'] }): boolean {
  return owner.members.has(kFrozen)
}

/** A change to a property. */
interface Change {
  readonly type: 'write' | 'add' | 'delete'
  readonly key: string | symbol
}

/**
 * Changes an object unless it is frozen. A refused change throws in strict code, and does nothing in sloppy code.
 *
 * @param what `undefined` for methods of lists, which throw in sloppy code, too
 */
export function changeUnlessFrozen(
  m: Machine,
  owner: Owner,
  what: Change | undefined,
  at: Node,
  change: () => void,
): void {
  const mark = owner.members.get(kFrozen)?.value
  if (mark === undefined) return change()
  forEachOption(m, mark, at, (one) => {
    const isFrozen = one.kind === 'primitive' && one.value === true
    if (!isFrozen) change()
    else if (what === undefined || isStrict(at)) {
      throw new Thrown(makeError('TypeError', messageOf(what, owner, at), at), at)
    }
  })
}

function messageOf(what: Change | undefined, owner: Owner, at: Node): Value {
  if (typeof what?.key !== 'string') {
    return unknown('the name of the refused property is not known', at)
  }
  const { type, key } = what
  const object = owner.kind === 'array' ? '[object Array]' : '#<Object>'
  const messages: Readonly<Record<Change['type'], string>> = {
    add: `Cannot add property ${key}, object is not extensible`,
    delete: `Cannot delete property '${key}' of ${object}`,
    write: `Cannot assign to read only property '${key}' of object '${object}'`,
  }
  return primitive(messages[type], at)
}

/** Returns the change that setting a property makes. */
export function changeOf(owner: Owner, key: string | symbol): Change {
  const isThere =
    owner.kind === 'array' && typeof key === 'string' && Number.isInteger(Number(key))
      ? (owner.elements[Number(key)] ?? hole) !== hole
      : owner.members.has(key) || (owner.kind === 'array' && key === 'length')
  return { type: isThere ? 'write' : 'add', key }
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
