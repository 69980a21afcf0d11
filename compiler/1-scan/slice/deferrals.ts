import type { Machine } from '../interpreter/machine.ts'
import { object, primitive, unknown } from '../interpreter/values.ts'
import type {
  Deferred,
  DeferredSource,
  ObjectValue,
  Scalar,
  Unknown,
  Value,
} from '../interpreter/values.ts'
import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { encode, encodeProgram } from './encode.ts'
import { toModule } from './module-text.ts'
import type { SliceModule } from './module-text.ts'
import type { Outcome, Shape } from './protocol.ts'
import { SliceRunner } from './runner.ts'

/** Calls a method. */
export const methodCode = '(o, k, ...a) => o[k](...a)'

/** Reads a property. */
export const memberCode = '(o, k) => o[k]'

/**
 * Values that only real code can compute, as a program that grows while the application is
 * followed. Parts of it run in the slice worker when a result is needed: the calls and imports that
 * lead to it, and nothing else.
 */
export class Deferrals {
  readonly #machine: Machine
  readonly #runner: SliceRunner
  readonly #imports = new Map<string, Deferred>()
  readonly #members = new Map<number, Map<string | symbol, Deferred>>()
  readonly #shapes = new Map<Deferred, { effects: number; shape: Shape | Unknown }>()
  readonly #escapes = new WeakMap<Value, readonly Escape[]>()
  #count = 0

  constructor(machine: Machine) {
    this.#machine = machine
    this.#runner = new SliceRunner()
  }

  import(source: Omit<Extract<DeferredSource, { op: 'import' }>, 'op'>, at: Node): Deferred {
    const { specifier, importer, name, required } = source
    // One package is one module, whichever file imports it.
    const file = this.#machine.modules.resolve(specifier, importer) ?? importer
    const key = [specifier, file, name, required].join('\n')
    let known = this.#imports.get(key)
    if (known === undefined) {
      known = this.#create({ op: 'import', ...source }, at)
      this.#imports.set(key, known)
    }
    return known
  }

  /** The result of a JavaScript function without free variables, applied to the operands. */
  code(code: string, operands: readonly Value[], at: Node): Deferred {
    return this.#create({ op: 'code', code, operands }, at)
  }

  awaited(promise: Deferred, at: Node): Deferred {
    // A package's namespace is there at once.
    if (promise.source.op === 'import') return promise
    return this.#create({ op: 'await', operand: promise }, at)
  }

  member(owner: Deferred, key: string | symbol, at: Node): Deferred {
    let members = this.#members.get(owner.id)
    if (members === undefined) this.#members.set(owner.id, (members = new Map()))
    let known = members.get(key)
    if (known === undefined) {
      known = this.code(memberCode, [owner, primitive(key, at)], at)
      members.set(key, known)
    }
    return known
  }

  call(callee: Deferred, args: readonly Value[], at: Node): Deferred {
    return this.#outside('(f, ...a) => f(...a)', [callee], args, at)
  }

  callMethod(owner: Deferred, key: Value, args: readonly Value[], at: Node): Deferred {
    return this.#outside(methodCode, [owner, key], args, at)
  }

  construct(callee: Deferred, args: readonly Value[], at: Node): Deferred {
    return this.#outside('(c, ...a) => new c(...a)', [callee], args, at)
  }

  /** `{ ...target, ...source }` */
  spread(target: ObjectValue, source: Deferred, at: Node): Deferred {
    const before = object(target.at, { base: target.base, members: new Map(target.members) })
    return this.code('(a, b) => ({ ...a, ...b })', [before, source], at)
  }

  /** `{ ...target, [key]: value }`, for a key that is a symbol of a package, say. */
  define(target: ObjectValue, key: Deferred, value: Value, at: Node): Deferred {
    const before = object(target.at, { base: target.base, members: new Map(target.members) })
    return this.code('(o, k, v) => ({ ...o, [k]: v })', [before, key, value], at)
  }

  /** An operation that changes its first operand. */
  effect(code: string, operands: readonly Value[], at: Node): void {
    const effect = this.code(code, operands, at)
    const [target] = operands
    if (target?.kind === 'deferred') attach(target, effect)
  }

  /** A primitive result, as a value of the interpreter; any other deferred value as it is. */
  known(value: Deferred): Value {
    const shape = this.#shape(value)
    if ('kind' in shape) return shape
    return shape.type === 'primitive' ? primitive(shape.value as Scalar, value.at) : value
  }

  typeOf(value: Deferred): string | undefined {
    const shape = this.#shape(value)
    if ('kind' in shape) return undefined
    if (shape.type === 'primitive') return typeof shape.value
    return shape.type === 'function' || shape.type === 'symbol' ? shape.type : 'object'
  }

  isArray(value: Deferred): boolean {
    const shape = this.#shape(value)
    return !('kind' in shape) && shape.type === 'array'
  }

  items(value: Deferred, at: Node): Value[] | Unknown {
    const shape = this.#shape(value)
    if ('kind' in shape) return shape
    if (shape.type === 'array') {
      return Array.from({ length: shape.length }, (_, index) =>
        this.member(value, String(index), at),
      )
    }
    if (shape.type === 'object' && shape.iterable) {
      return this.items(this.code('(v) => [...v]', [value], at), at)
    }
    return unknown('something is iterated that is no list', at)
  }

  entries(value: Deferred, at: Node): [string, Value][] | Unknown {
    const shape = this.#shape(value)
    if ('kind' in shape) return shape
    if (shape.type === 'array') {
      return Array.from({ length: shape.length }, (_, index) => [
        String(index),
        this.member(value, String(index), at),
      ])
    }
    if (shape.type === 'primitive' || shape.type === 'symbol') return []
    return shape.keys.map((key) => [key, this.member(value, key, at)])
  }

  /** Plain data of several values, computed in one go. */
  plain(values: readonly Deferred[]): Outcome[] {
    if (values.length === 0) return []
    return this.#runner.run(encodeProgram(this.#machine, values, 'plain'))
  }

  /** A live value (a function, say) as the text of a module that makes it. */
  moduleOf(value: Value): SliceModule | undefined {
    return toModule(encode(this.#machine, [value]))
  }

  close(): Promise<void> {
    return this.#runner.close()
  }

  /** What may have been done to an object by packages that it was handed to. */
  escapesOf(value: Value): readonly Escape[] {
    return this.#escapes.get(value) ?? []
  }

  #outside(code: string, callee: readonly Value[], args: readonly Value[], at: Node): Deferred {
    const result = this.code(code, [...callee, ...args], at)
    if (isStatement(at)) {
      // Nobody takes the result, so it is called for what it does.
      for (const operand of [...callee, ...args]) {
        if (operand.kind === 'deferred') attach(operand, result)
      }
    }
    for (const [index, arg] of args.entries()) {
      if (arg.kind === 'object' && !isFresh(arg, at))
        this.#noteEscape(code, callee, args, index, at)
    }
    return result
  }

  #noteEscape(
    code: string,
    callee: readonly Value[],
    args: readonly Value[],
    index: number,
    at: Node,
  ): void {
    const given = args[index] as ObjectValue
    const copy = object(given.at, { base: given.base, members: new Map(given.members) })
    const before = this.code('(o) => o', [copy], at)
    const operands = [...callee, ...args.with(index, { ...copy, members: new Map(copy.members) })]
    const position = primitive(callee.length + index, at)
    const after = this.code(
      `(i, ...x) => { (${code})(...x); return x[i] }`,
      [position, ...operands],
      at,
    )
    this.#escapes.set(given, [...this.escapesOf(given), { before, after, at }])
  }

  #create(source: DeferredSource, at: Node): Deferred {
    return { kind: 'deferred', id: ++this.#count, source, at, effects: [] }
  }

  #shape(value: Deferred): Shape | Unknown {
    const cached = this.#shapes.get(value)
    if (cached !== undefined && cached.effects === value.effects.length) return cached.shape
    const [outcome] = this.#runner.run(encodeProgram(this.#machine, [value], 'shape'))
    const shape: Shape | Unknown =
      outcome?.type === 'shape'
        ? outcome.shape
        : unknown(outcome?.type === 'failed' ? outcome.why : 'it has no value', value.at)
    this.#shapes.set(value, { effects: value.effects.length, shape })
    return shape
  }
}

/** An object that was handed to a package: it is the same before and after, or the package changes it. */
export interface Escape {
  readonly before: Deferred
  readonly after: Deferred
  readonly at: Node
}

/** Whether the call is a statement of its own. */
function isStatement(at: Node): boolean {
  const { parent } = at
  if (ts.isExpressionStatement(parent)) return true
  const isWrapper = ts.isParenthesizedExpression(parent) || ts.isAwaitExpression(parent)
  return (isWrapper || ts.isVoidExpression(parent)) && isStatement(parent)
}

/** Whether an argument is written in the call itself: then nothing else refers to it. */
function isFresh(value: ObjectValue, call: Node): boolean {
  return (
    value.at !== undefined &&
    value.at.pos >= call.pos &&
    value.at.end <= call.end &&
    value.at.getSourceFile() === call.getSourceFile()
  )
}

/** A change of `o.a.b` is one of `o.a` and of `o` as well. */
function attach(target: Deferred, effect: Deferred): void {
  for (let one: Deferred | undefined = target; one !== undefined; one = ownerOf(one)) {
    one.effects.push(effect)
  }
}

function ownerOf(value: Deferred): Deferred | undefined {
  if (value.source.op === 'await') return value.source.operand
  if (value.source.op !== 'code' || value.source.code !== memberCode) return undefined
  const [owner] = value.source.operands
  return owner?.kind === 'deferred' ? owner : undefined
}
