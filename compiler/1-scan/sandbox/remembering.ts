import { deserialize, serialize } from 'node:v8'
import { digestOf } from '../../../runtime/artifact/digest.ts'
import type { Outcome, Program } from './protocol.ts'
import type { Answer, SliceRunner } from './runner.ts'

/** Answers of earlier builds. */
export interface KnownAnswers {
  isEmpty(): boolean
  get(question: string): Uint8Array | undefined
  put(question: string, answer: Uint8Array): void
}

type Runner = Pick<SliceRunner, 'run' | 'close'> & { start(): unknown }

/**
 * Gives the answers of an earlier build as long as it was asked the same, from its first question on: what a process
 * answers depends on all that it was asked before. At the first other question a process is started and told what it has missed.
 */
export class RememberingRunner implements Runner {
  readonly #runner: Runner
  readonly #known: KnownAnswers
  /** All questions so far in one digest. */
  #asked = ''
  /** What the process has missed; `undefined` when there is one that has been told everything. */
  #missed: Program[] | undefined = []
  /** Whether what the process answers is what another one would. */
  #isCertain = true

  constructor(runner: Runner, known: KnownAnswers) {
    this.#runner = runner
    this.#known = known
  }

  start(): void {
    // Where there are answers, likely none is missing.
    if (this.#missed === undefined || this.#known.isEmpty()) this.#runner.start()
  }

  run(program: Program, onSlow?: (step: string) => void): Answer {
    const question = digestOf(Buffer.concat([Buffer.from(this.#asked), serialize(program)]))
    this.#asked = question
    const known = this.#missed && this.#known.get(question)
    if (known !== undefined) {
      this.#missed?.push(program)
      return { outcomes: deserialize(known) as Outcome[] }
    }
    for (const earlier of this.#missed ?? []) this.#runner.run(earlier, onSlow)
    this.#missed = undefined
    const answer = this.#runner.run(program, onSlow)
    // Another process may come further, or wait longer.
    this.#isCertain &&= 'outcomes' in answer && !answer.outcomes.some(({ isLate }) => isLate)
    if (this.#isCertain && 'outcomes' in answer)
      this.#known.put(question, serialize(answer.outcomes))
    return answer
  }

  close(): void {
    this.#runner.close()
  }
}
