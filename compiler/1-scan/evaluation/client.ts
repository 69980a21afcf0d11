/** Sends evaluation requests of the scan to the sandbox. Each request contains only definitions that are new or have changed. */
import { isDeepStrictEqual } from 'node:util'
import type { SandboxMachine } from './deferrals.ts'
import type { Change, Deferred } from '../values/index.ts'
import { Encoder, type Encoded } from './encode.ts'
import type { Choices } from './seen-changes.ts'
import type { Definition, EvaluationRequest, Fault, Outcome } from '../../sandbox/protocol.ts'
import { describeNoFunction, describeThrow } from '../../report/faults.ts'
import { ts, type Node } from '../../util/source/project.ts'
import type { Evaluator, Reply } from '../../sandbox/sandbox-process.ts'

/** How often a scan may repeat a request without the step that has ended the process. */
const maxRepeats = 8

/** Limit of processes that a scan starts because a package isn't in the state that a call saw. */
const maxRestarts = 20

/** Longer expressions are cut in messages. */
const maxExpressionLength = 60

export interface Sandbox {
  readonly process: Evaluator
  onSlow(name: string): void
}

export class SandboxClient {
  readonly #machine: SandboxMachine
  readonly #sandbox: Sandbox
  readonly #sent = new Map<string, Definition>()
  readonly #past = { steps: new Set<string>(), effects: new Map<string, Change>() }
  /** Steps that have ended a process, with definitions that fail instead. */
  readonly #refused = new Map<string, Definition>()

  #repeats = 0
  #restarts = 0

  constructor(machine: SandboxMachine, sandbox: Sandbox) {
    this.#machine = machine
    this.#sandbox = sandbox
  }

  evaluate(
    values: readonly Deferred[],
    wants: EvaluationRequest['wants'],
    choices?: Choices,
  ): Outcome[] {
    for (;;) {
      const encoded = this.#encode(values, choices)
      // No process can compute all of them. Some process may compute each.
      if (encoded.isLate && values.length > 1)
        return values.flatMap((value) => this.evaluate([value], wants, choices))
      const reply = this.#send(encoded, wants)
      if ('outcomes' in reply) return reply.outcomes.map((outcome) => this.#explain(outcome))
      const why = `${this.#nameOf(reply.stoppedAt)} ${reply.why}`
      this.#refuse(reply.stoppedAt, why)
      // Other steps may still work in another process.
      if (++this.#repeats > maxRepeats) return values.map(() => ({ type: 'failed', why }))
    }
  }

  #encode(values: readonly Deferred[], choices?: Choices): Encoded {
    const encoded = new Encoder(this.#machine, choices, this.#past).encode(values)
    if (!encoded.isLate || this.#restarts >= maxRestarts) return encoded
    // A new process has run no later call.
    const first = new Encoder(this.#machine, choices).encode(values)
    if (first.isLate || first.roots.every((root) => root.t === 'never')) return encoded
    this.#restarts++
    this.#forget()
    return { ...first, isFirst: true }
  }

  #send(
    { definitions, roots, steps, effects, isFirst }: Encoded,
    wants: EvaluationRequest['wants'],
  ): Reply {
    const failures = roots.filter((root) => root.t === 'never')
    if (failures.length === roots.length) {
      return {
        outcomes: failures.map(({ why, undecided }) => ({ type: 'failed', why, undecided })),
      }
    }
    const changed: [string, Definition][] = []
    for (const [id, encoded] of definitions) {
      const definition = this.#refused.get(id) ?? encoded
      const before = this.#sent.get(id)
      if (isDeepStrictEqual(before, definition)) continue
      this.#sent.set(id, definition)
      changed.push([id, definition])
    }
    for (const step of steps) this.#past.steps.add(step)
    for (const [key, effect] of effects) {
      const before = this.#past.effects.get(key)
      if (before === undefined || before.by.number < effect.by.number)
        this.#past.effects.set(key, effect)
    }
    const request = { definitions: changed, steps, roots, wants, isFirst }
    return this.#sandbox.process.run(request, (step) => {
      this.#sandbox.onSlow(this.#nameOf(step))
    })
  }

  /** Starts the sandbox, because a request is likely. */
  prepare(): void {
    this.#sandbox.process.start()
  }

  close(): void {
    this.#sandbox.process.close()
  }

  /** Prepares for the next process, which has no definitions and must not run the step that has ended this one. */
  #refuse(step: string, why: string): void {
    this.#forget()
    this.#refused.set(step, { type: 'await', operand: { t: 'never', why } })
  }

  #forget(): void {
    this.#sent.clear()
    this.#past.steps.clear()
    this.#past.effects.clear()
  }

  /** Adds the expression that waits or throws to the reason of a failure. */
  #explain(outcome: Outcome): Outcome {
    if (outcome.type !== 'failed') return outcome
    const { awaited, fault, why } = outcome
    if (awaited !== undefined) return { ...outcome, why: `${this.#nameOf(awaited)} ${why}` }
    return fault === undefined ? outcome : { ...outcome, why: this.#describe(fault, why) }
  }

  /** Describes a step that throws. If a callee isn't a function, quotes the source: the error may contain other names. */
  #describe({ step, near }: Fault, thrown: string): string {
    const written = this.#machine.deferrals.placeOf(step)
    const isCall = written !== undefined && ts.isCallLikeExpression(written)
    const callee = isCall && 'expression' in written ? written.expression : undefined
    if (near === undefined || callee === undefined) {
      return describeThrow(this.#nameOf(step), thrown)
    }
    const owner = ts.isPropertyAccessExpression(callee) ? `${callee.expression.getText()}.` : ''
    const names = near.map((name) => `${owner}${name}`)
    return describeNoFunction(this.#quote(callee), names)
  }

  #nameOf(step: string): string {
    const written = this.#machine.deferrals.placeOf(step)
    if (written === undefined || ts.isSourceFile(written)) return 'it'
    return this.#quote(ts.isAwaitExpression(written.parent) ? written.parent : written)
  }

  /** Quotes an expression, with its place. */
  #quote(at: Node): string {
    const { file, line, column } = this.#machine.project.locate(at)
    const [text = '', ...rest] = at.getText().split('\n')
    const isLong = rest.length > 0 || text.length > maxExpressionLength
    const cut = isLong ? `${text.slice(0, maxExpressionLength).trimEnd()} …` : text
    return `\`${cut}\` (${file}:${line}:${column})`
  }
}
