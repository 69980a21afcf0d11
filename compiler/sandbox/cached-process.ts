/** Returns outcomes of an earlier build until a request differs. Then the sandbox is given all earlier requests, because its state depends on them. */
import { deserialize, serialize } from 'node:v8'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { EvaluationRequest, Outcome } from './protocol.ts'
import type { Evaluator, Reply } from './sandbox-process.ts'

export interface OutcomeCache {
  isEmpty(): boolean
  get(key: string): Uint8Array | undefined
  put(key: string, outcomes: Uint8Array): void
}

export class CachedProcess implements Evaluator {
  readonly #process: Evaluator
  readonly #cache: OutcomeCache
  /** Key of the last request: the digest of all requests so far. */
  #key = ''
  /** Requests that were answered from the cache; `undefined` once the sandbox has been given them. */
  #missed: EvaluationRequest[] | undefined = []
  /** False once a request has failed or timed out. Later outcomes depend on that, so they aren't cached. */
  #isReproducible = true

  constructor(process: Evaluator, cache: OutcomeCache) {
    this.#process = process
    this.#cache = cache
  }

  start(): void {
    // With a filled cache, the sandbox is probably not needed.
    if (this.#missed === undefined || this.#cache.isEmpty()) this.#process.start()
  }

  run(request: EvaluationRequest, onSlow?: (step: string) => void): Reply {
    this.#key = digestOf(Buffer.concat([Buffer.from(this.#key), serialize(request)]))
    const cached = this.#missed && this.#cache.get(this.#key)
    if (cached !== undefined) {
      this.#missed?.push(request)
      return { outcomes: deserialize(cached) as Outcome[] }
    }
    for (const earlier of this.#missed ?? []) this.#process.run(earlier, onSlow)
    this.#missed = undefined
    const reply = this.#process.run(request, onSlow)
    // The same request may succeed on a faster machine.
    this.#isReproducible &&= 'outcomes' in reply && !reply.outcomes.some(({ isLate }) => isLate)
    if (this.#isReproducible && 'outcomes' in reply)
      this.#cache.put(this.#key, serialize(reply.outcomes))
    return reply
  }

  close(): void {
    this.#process.close()
  }
}
