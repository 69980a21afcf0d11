import type { SliceMachine } from './machine.ts'
import type { Deferred } from '../values/index.ts'
import { encode } from './encode.ts'
import type { World } from './encode.ts'
import type { Definition, Fault, Outcome, Program } from './protocol.ts'
import { describeNoFunction, describeThrow } from '../../report/faults.ts'
import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import type { Answer, SliceRunner } from './runner.ts'

/** After so many slices that have ended their process, no other is started. */
const maxEnds = 8

/** How much of an expression is shown. */
const maxText = 60

/** How slices are run. */
export interface Slices {
  readonly runner: Pick<SliceRunner, 'run' | 'close'> & { start(): unknown }
  /** Is told what takes long, as its author knows it. */
  onSlow(name: string): void
}

/** What the scan asks the process that runs slices, and what that knows from earlier questions. */
export class Dialogue {
  readonly #machine: SliceMachine
  readonly #slices: Slices
  /** The definitions that the process has. */
  readonly #sent = new Map<string, Definition>()
  /** Steps that took too long, with the reason that stands for them from then on. */
  readonly #refused = new Map<string, Definition>()

  /** How many processes have ended before their time. */
  #ends = 0

  constructor(machine: SliceMachine, slices: Slices) {
    this.#machine = machine
    this.#slices = slices
  }

  ask(values: readonly Deferred[], wants: Program['wants'], world?: World): Outcome[] {
    for (;;) {
      const answer = this.#tryToAsk(values, wants, world)
      if ('outcomes' in answer) return answer.outcomes.map((outcome) => this.#named(outcome))
      const why = `${this.#nameOf(answer.stoppedAt)} ${answer.why}`
      this.#forget(answer.stoppedAt, why)
      // One slice that cannot be run is no reason for others not to be.
      if (++this.#ends > maxEnds) return values.map(() => ({ type: 'failed', why }))
    }
  }

  #tryToAsk(values: readonly Deferred[], wants: Program['wants'], world?: World): Answer {
    const { definitions, roots, steps } = encode(this.#machine, values, world)
    const changed: [string, Definition][] = []
    for (const [id, made] of definitions) {
      const definition = this.#refused.get(id) ?? made
      const before = this.#sent.get(id)
      if (before !== undefined && isSame(before, definition)) continue
      this.#sent.set(id, definition)
      changed.push([id, definition])
    }
    return this.#slices.runner.run({ definitions: changed, steps, roots, wants }, (step) => {
      this.#slices.onSlow(this.#nameOf(step))
    })
  }

  /** To be called when something will likely be asked. */
  prepare(): void {
    this.#slices.runner.start()
  }

  close(): void {
    this.#slices.runner.close()
  }

  /** The next process starts with nothing, and what has stopped this one is not tried again. */
  #forget(step: string, why: string): void {
    this.#sent.clear()
    this.#refused.set(step, { type: 'await', operand: { t: 'never', why } })
  }

  /** With what is waited for, or what throws, in its reason. */
  #named(outcome: Outcome): Outcome {
    if (outcome.type !== 'failed') return outcome
    const { awaited, fault, why } = outcome
    if (awaited !== undefined) return { ...outcome, why: `${this.#nameOf(awaited)} ${why}` }
    return fault === undefined ? outcome : { ...outcome, why: this.#describe(fault, why) }
  }

  /** What the source does at a step that throws: its error speaks of names that the source may not have. */
  #describe({ step, near }: Fault, thrown: string): string {
    const written = this.#machine.deferrals.placeOf(step)
    const isCall = written !== undefined && ts.isCallLikeExpression(written)
    const callee = isCall && 'expression' in written ? written.expression : undefined
    if (near === undefined || callee === undefined) {
      return describeThrow(this.#nameOf(step), thrown)
    }
    const owner = ts.isPropertyAccessExpression(callee) ? `${callee.expression.getText()}.` : ''
    return describeNoFunction(
      this.#shown(callee),
      near.map((name) => `${owner}${name}`),
    )
  }

  /** A step as its author knows it. */
  #nameOf(step: string): string {
    const written = this.#machine.deferrals.placeOf(step)
    if (written === undefined || ts.isSourceFile(written)) return 'it'
    return this.#shown(ts.isAwaitExpression(written.parent) ? written.parent : written)
  }

  /** What is written at a place, and where that is. */
  #shown(at: Node): string {
    const { file, line, column } = this.#machine.project.locate(at)
    const [text = '', ...rest] = at.getText().split('\n')
    const isLong = rest.length > 0 || text.length > maxText
    const shown = isLong ? `${text.slice(0, maxText).trimEnd()} …` : text
    return `\`${shown}\` (${file}:${line}:${column})`
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
