/** Marks objects as frozen, sealed or not extensible, and checks changes of them. */
import { ts, type Node } from '../project.ts'
import { forEachOption } from './conditions.ts'
import type { Machine } from './machine.ts'
import { hasProperty } from './properties.ts'
import { makeError, Thrown } from './thrown.ts'
import { primitive, unknown, type Owner, type Value } from './index.ts'

/** The key of the member that marks such an object: its value is the name of the restriction. */
const kRestriction: unique symbol = Symbol('frozen')

/** A change to a property, or to a list by a method. Methods throw if it's refused, in sloppy code as well. */
export interface Change {
  readonly type: 'write' | 'add' | 'delete'
  /** `undefined` for methods. */
  readonly key: string | symbol | undefined
}

/** By `Object.preventExtensions`, `Object.seal` and `Object.freeze`. */
export type Restriction = 'fixed' | 'sealed' | 'frozen'

/** The changes that each restriction refuses. */
const refused: Readonly<Record<Restriction, readonly Change['type'][]>> = {
  fixed: ['add'],
  sealed: ['add', 'delete'],
  frozen: ['add', 'delete', 'write'],
}

export function restrict(m: Machine, owner: Value, by: Restriction, at: Node): void {
  if (!('members' in owner)) return
  const current = restrictionOf(owner.members.get(kRestriction)?.value)
  if (current !== undefined && refused[current].length > refused[by].length) return
  m.journal.setMember(owner, kRestriction, { value: primitive(by, at), at, hidden: true })
}

function restrictionOf(mark: Value | undefined): Restriction | undefined {
  return mark?.kind === 'primitive' ? (mark.value as Restriction | undefined) : undefined
}

export function mayBeRestricted(owner: { readonly members: Owner['members'] }): boolean {
  return owner.members.has(kRestriction)
}

/** Changes an object unless that is refused. A refused change throws in strict code, and does nothing in sloppy code. */
export function changeUnlessRefused(
  m: Machine,
  owner: Owner,
  what: Change,
  at: Node,
  change: () => void,
): void {
  const mark = owner.members.get(kRestriction)?.value
  if (mark === undefined) return change()
  forEachOption(m, mark, at, (one) => {
    const by = restrictionOf(one)
    if (by === undefined || !refused[by].includes(what.type)) change()
    else if (what.key === undefined || isStrict(at)) {
      throw new Thrown(makeError('TypeError', messageOf(what, owner, at), at), at)
    }
  })
}

function messageOf({ type, key }: Change, owner: Owner, at: Node): Value {
  if (typeof key !== 'string') return unknown('the name of the refused property is not known', at)
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
  const isElement = owner.kind === 'array' && (key === 'length' || hasProperty(owner, String(key)))
  const isThere = isElement || owner.members.has(key)
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
