import type { SliceMachine } from './machine.ts'
import type { Deferred } from '../values/index.ts'
import { Encoder } from './encode.ts'
import type { Choose } from './encode.ts'
import type { Definition, Outcome, Program } from './protocol.ts'
import { SliceRunner } from './runner.ts'

/** A set of choices; values that are made in another one are others. */
export interface World {
  /** The same choices have the same name. */
  readonly name: string
  readonly choose: Choose
}

/** What the scan asks the process that runs slices, and what that knows from earlier questions. */
export class Dialogue {
  readonly #machine: SliceMachine
  readonly #runner: SliceRunner
  /** The definitions that the process has. */
  readonly #sent = new Map<string, Definition>()
  readonly #encoders = new Map<string, Encoder>()
  /** Steps that took too long, with the reason that stands for them from then on. */
  readonly #refused = new Map<string, Definition>()

  constructor(machine: SliceMachine) {
    this.#machine = machine
    this.#runner = new SliceRunner(machine.project.root)
  }

  ask(values: readonly Deferred[], wants: Program['wants'], world?: World): Outcome[] {
    const { definitions, roots, steps } = this.#encoder(world?.name ?? '').encode(
      values,
      world?.choose,
    )
    const changed: [string, Definition][] = []
    for (const [id, made] of definitions) {
      const definition = this.#refused.get(id) ?? made
      const before = this.#sent.get(id)
      if (before !== undefined && isSame(before, definition)) continue
      this.#sent.set(id, definition)
      changed.push([id, definition])
    }
    const answer = this.#runner.run({ definitions: changed, steps, roots, wants })
    if (answer.stoppedAt !== undefined) this.#forget(answer.stoppedAt, answer.outcomes)
    return answer.outcomes
  }

  /** To be called when an object is written. */
  changed(key: object): void {
    for (const encoder of this.#encoders.values()) encoder.changed(key)
  }

  /** To be called when a list of effects has one more. */
  grown(effects: readonly Deferred[]): void {
    for (const encoder of this.#encoders.values()) encoder.grown(effects)
  }

  close(): void {
    this.#runner.close()
  }

  #encoder(world: string): Encoder {
    let known = this.#encoders.get(world)
    if (known === undefined) this.#encoders.set(world, (known = new Encoder(this.#machine, world)))
    return known
  }

  /** The next process starts with nothing, and what has stopped this one is not tried again. */
  #forget(step: string, [outcome]: readonly Outcome[]): void {
    this.#sent.clear()
    this.#encoders.clear()
    const why = outcome?.type === 'failed' ? outcome.why : ''
    this.#refused.set(step, { type: 'await', operand: { t: 'never', why } })
  }
}

/** Whether two definitions, or two parts of them, say the same. */
function isSame(one: object, other: object): boolean {
  const entries = Object.entries(one) as [string, unknown][]
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([key, value]) => {
      const counterpart = (other as Readonly<Record<string, unknown>>)[key]
      if (Object.is(value, counterpart)) return true
      if (typeof value !== 'object' || value === null) return false
      return typeof counterpart === 'object' && counterpart !== null && isSame(value, counterpart)
    })
  )
}
