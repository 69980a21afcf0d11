/**
 * Keeps the order of calls that change objects and packages. A call sees those before it in its own branch. A package has one state in a
 * process of the sandbox. So a call of another branch can't run there, nor an earlier one after a later one.
 */
import { callCode, constructCode, memberCode, methodCode } from '../../sandbox/protocol.ts'
import type { Never, Term } from '../../sandbox/protocol.ts'
import type { Change, Changeable, Changes, Choice, Deferred, Value } from '../values/index.ts'
import {
  changesAt,
  includesEffect,
  isChange,
  isSplit,
  isUnknown,
  statesOf,
} from '../values/changes.ts'
import { choice } from '../values/choices.ts'
import { primitive } from '../values/index.ts'
import { never, undecided } from '../../sandbox/terms.ts'

/** Steps and effects that the process of the sandbox has run. */
export interface Past {
  readonly steps: ReadonlySet<string>
  /** The latest effect on each object and package. */
  readonly effects: ReadonlyMap<string, Change>
}

/** Decides choices between values. Values that are made under different choices have different ids. */
export interface Choices {
  /** Suffix of ids: the same choices have the same name. */
  readonly name: string
  choose(choice: Choice): Value
}

/** When a value is used: the number of the deferred call, and the number in which objects and variables count as well. */
export type Moment = Pick<Deferred, 'id' | 'number'> & Partial<Pick<Deferred, 'source'>>

/** The end of the scan. */
export const now: Moment = { id: Infinity, number: Infinity }

interface Use {
  readonly call: Moment
  readonly effect: Change | undefined
}

export class SeenChanges {
  readonly #encode: (call: Deferred) => Term
  readonly #idOf: (call: Moment) => string
  readonly #choose: Choices['choose'] | undefined
  /** Why an effect up to this change isn't known, for changes that were encoded. */
  readonly #failures = new Map<Change, Never | undefined>()
  readonly #uses = new Map<Changeable, Map<number, Use>>()

  /**
   * @param idOf returns the id of a call in requests
   * @param choose picks an option. By default, none is picked
   */
  constructor(
    encode: (call: Deferred) => Term,
    idOf: (call: Moment) => string,
    choose?: Choices['choose'],
  ) {
    this.#encode = encode
    this.#idOf = idOf
    this.#choose = choose
  }

  /**
   * Encodes the changes of what a value may read, before it's used. Returns why they aren't known.
   *
   * @param after gets the ids of the latest effects
   */
  before(
    value: Deferred,
    read: readonly Changeable[],
    call: Moment,
    after: Set<string>,
  ): Never | undefined {
    for (const owner of read) {
      if (owner.earlier.length === 0) continue
      const state = changesAt(owner, call.number)
      const isRead = call === now || (isMemberRead(call) && !isWritten(state))
      // Exported constants seldom depend on how the package is configured. Results do.
      // A value that is used at the end was made earlier, so later changes of its package don't count.
      if (!('id' in owner) && !isChange(state) && isRead) continue
      const changes = this.#picked(state)
      const failure = isNever(changes) ? changes : changes && this.#encodeAll(changes)
      if (failure !== undefined && (owner === value || call !== now)) return failure
      if (failure === undefined && !isNever(changes))
        this.#note(owner, { call, effect: changes?.effect }, after)
    }
    return undefined
  }

  /** Returns the state under the choices, or why it isn't known. */
  #picked(changes: Changes): Change | Never | undefined {
    if (isUnknown(changes)) return never(changes.why)
    if (!isSplit(changes)) return changes
    if (this.#choose === undefined) return undecided
    const { key, options } = changes
    const places = options.map((_, index) => primitive(index, undefined))
    const place = this.#choose(choice(places, undefined, key) as Choice)
    return this.#picked(options[places.indexOf(place as (typeof places)[0])])
  }

  #note(owner: Changeable, use: Use, after: Set<string>): void {
    const uses = this.#uses.get(owner) ?? new Map<number, Use>()
    this.#uses.set(owner, uses)
    uses.set(use.call.id, use)
    if (use.effect !== undefined) after.add(this.#idOf(use.effect.by))
  }

  #encodeAll(changes: Change): Never | undefined {
    const open: Change[] = []
    let one: Change | undefined = changes
    for (; one !== undefined && !this.#failures.has(one); one = one.before) open.push(one)
    let failure = one && this.#failures.get(one)
    for (const change of open.reverse()) {
      const term = this.#encode(change.by)
      if (change.effect === change && term.t === 'never') failure ??= term
      this.#failures.set(change, failure)
    }
    return failure
  }

  /** Returns the ids of calls that can't run: the process has run an effect that they don't see, or would run it first. */
  late(past: Past | undefined): ReadonlySet<string> {
    const late = new Set<string>()
    for (const [owner, uses] of this.#uses) {
      const done = this.#done(owner, past)
      const states = new Set([...uses.values()].map(({ effect }) => effect))
      const last = lastOf(states)
      const limits = new Map<Change | undefined, number>()
      for (const own of states) {
        const limit = Math.min(...last.map((one) => firstUnseen(one, own)))
        limits.set(own, firstUnseen(done, own) < Infinity ? 0 : limit)
      }
      for (const { call, effect } of uses.values()) {
        const isLate = call !== now && call.number > (limits.get(effect) ?? Infinity)
        if (isLate && past?.steps.has(this.#idOf(call)) !== true) late.add(this.#idOf(call))
      }
    }
    return late
  }

  /** Returns the latest effect that the sandbox has made. */
  #done(owner: Changeable | Deferred, past: Past | undefined): Change | undefined {
    const done = past?.effects.get(this.#keyOf(owner))
    if (this.#choose === undefined || done === undefined) return done
    // Each choice repeats calls after effects that don't depend on it. A process for each choice would take minutes.
    const isCertain = statesOf(owner.changes).every((one) => includesEffect(one, done))
    return isCertain ? undefined : done
  }

  /** Under other choices, objects are others, and packages the same. */
  #keyOf(owner: Changeable | Deferred): string {
    return 'id' in owner ? this.#idOf(owner) : `p${owner.number}`
  }

  /** The latest effect on each object and package that was used. */
  effects(): Past['effects'] {
    const latest = [...this.#uses].flatMap(([owner, uses]) => {
      const [last] = [...uses.values()]
        .flatMap(({ effect }) => effect ?? [])
        .sort((a, b) => b.by.number - a.by.number)
      return last === undefined ? [] : [[this.#keyOf(owner), last] as const]
    })
    return new Map(latest)
  }
}

/** Returns the last state of each branch. */
function lastOf(states: ReadonlySet<Change | undefined>): readonly Change[] {
  const last: Change[] = []
  const effects = [...states].flatMap((one) => one ?? [])
  for (const effect of effects.sort((a, b) => b.by.number - a.by.number))
    if (!last.some((one) => includesEffect(one, effect))) last.push(effect)
  return last
}

/** Returns the number of the first effect on the way to a state that another state doesn't have. */
function firstUnseen(effect: Change | undefined, own: Change | undefined): number {
  let first = Infinity
  let one = effect
  for (; one !== undefined && !includesEffect(own, one); one = one.before?.effect)
    first = one.by.number
  return first
}

function isMemberRead({ source }: Moment): boolean {
  return source?.op === 'code' && source.code === memberCode
}

/** Returns whether a member of an export may have been written. */
function isWritten(changes: Changes): boolean {
  const codes = statesOf(changes).map((one) => one?.effect?.by.source)
  return codes.some((source) => source?.op === 'code' && !callCodes.has(source.code))
}

const callCodes: ReadonlySet<string> = new Set([callCode, constructCode, methodCode])

function isNever(state: Change | Never | undefined): state is Never {
  return state !== undefined && 't' in state
}
