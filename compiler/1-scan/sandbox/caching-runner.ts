import { deserialize, serialize } from 'node:v8'
import { digestOf } from '../../../runtime/artifact/digest.ts'
import type { Outcome, Program } from './protocol.ts'
import type { Answer, SliceRunner } from './runner.ts'

/** Results of earlier builds, by key of the request. */
export interface ResultCache {
  isEmpty(): boolean
  get(request: string): Uint8Array | undefined
  put(request: string, result: Uint8Array): void
}

type Runner = Pick<SliceRunner, 'run' | 'close'> & { start(): unknown }

/**
 * Returns results of an earlier build as long as all requests so far are the same: the state of the process depends on
 * every request before. At the first other request, the process is started and given those that it has missed.
 */
export class CachingRunner implements Runner {
  readonly #runner: Runner
  readonly #cache: ResultCache
  /** Key of the last request: digest of all requests so far. */
  #key = ''
  /** Requests that were answered from the cache; `undefined` once the process has been given them. */
  #missed: Program[] | undefined = []
  /** Whether another process would give the same results. */
  #isReproducible = true

  constructor(runner: Runner, cache: ResultCache) {
    this.#runner = runner
    this.#cache = cache
  }

  start(): void {
    // With a filled cache, the process is probably not needed.
    if (this.#missed === undefined || this.#cache.isEmpty()) this.#runner.start()
  }

  run(program: Program, onSlow?: (step: string) => void): Answer {
    this.#key = digestOf(Buffer.concat([Buffer.from(this.#key), serialize(program)]))
    const cached = this.#missed && this.#cache.get(this.#key)
    if (cached !== undefined) {
      this.#missed?.push(program)
      return { outcomes: deserialize(cached) as Outcome[] }
    }
    for (const earlier of this.#missed ?? []) this.#runner.run(earlier, onSlow)
    this.#missed = undefined
    const answer = this.#runner.run(program, onSlow)
    // On another machine, a process may come further, or wait longer.
    this.#isReproducible &&= 'outcomes' in answer && !answer.outcomes.some(({ isLate }) => isLate)
    if (this.#isReproducible && 'outcomes' in answer)
      this.#cache.put(this.#key, serialize(answer.outcomes))
    return answer
  }

  close(): void {
    this.#runner.close()
  }
}
