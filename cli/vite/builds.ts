import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildResult } from '../../compiler/build.ts'
import type { BuildOptions } from '../../compiler/options.ts'
import { createBuilder, type Builder } from '../watch/build-thread.ts'

/** A file is complete so long after its change, in ms: it's written in several steps, and the watcher may report only the first. */
const SETTLING = 40

/** The builds of a Vite server: one at a time, in a thread. */
export class Builds {
  readonly #options: BuildOptions
  readonly #onBuilt: (result: BuildResult) => Promise<void>
  #builder: Builder | undefined
  #latest: Promise<BuildResult> | undefined
  /** The latest build, as long as it waits for the one before. */
  #next: Promise<BuildResult> | undefined

  /** @param onBuilt called before anyone gets the result */
  constructor(options: BuildOptions, onBuilt: (result: BuildResult) => Promise<void>) {
    this.#options = options
    this.#onBuilt = onBuilt
  }

  /** The newest build. The first one starts when it's asked for. */
  get latest(): Promise<BuildResult> {
    return this.#latest ?? this.rebuild()
  }

  /** Builds again. Calls before that build begins share it. */
  rebuild(): Promise<BuildResult> {
    if (this.#next !== undefined) return this.#next
    const before = this.#latest
    this.#latest = this.#next = this.#after(before)
    return this.#latest
  }

  async close(): Promise<void> {
    await this.#builder?.end()
    this.#builder = undefined
  }

  async #after(before: Promise<unknown> | undefined): Promise<BuildResult> {
    // The first build follows no change.
    await Promise.allSettled([before, before && sleep(SETTLING)])
    this.#next = undefined
    this.#builder ??= createBuilder(this.#options, process.env, () => undefined)
    try {
      const { result, mustBeReplaced } = await this.#builder.build()
      if (mustBeReplaced) await this.close()
      await this.#onBuilt(result)
      return result
    } catch (error) {
      await this.close()
      throw error
    }
  }
}
