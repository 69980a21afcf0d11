/** Boots an application beside the scan, in the sandbox. */
import type { ResolvedOptions } from '../model/index.ts'
import { agreed } from './agreement.ts'
import { sandboxed, startBoot, varied, type BootKind, type RunningBoot } from './boot.ts'
import type { KnownStart } from './messages.ts'
import type { Recording, RecordingFailure } from './recording.ts'
import type { BootEnd } from './supervisor.ts'

/** Keeps the results of boots for later builds. */
export interface BootResults {
  get(key: string): unknown
  put(key: string, result: unknown, paths: readonly string[]): void
}

export class SandboxedBoot {
  readonly #options: ResolvedOptions
  readonly #results: BootResults | undefined
  #running: RunningBoot | undefined
  #known: KnownStart | undefined
  #agreed: Promise<Recording | undefined> | undefined

  constructor(options: ResolvedOptions, results: BootResults | undefined) {
    this.#options = options
    this.#results = results
  }

  /** Starts a boot ahead of `run`, unless its result is known. */
  start(): void {
    if (this.#results?.get(this.#keyOf(sandboxed)) === undefined)
      this.#running = startBoot(this.#options, sandboxed, this.#options.bootEnvironment)
  }

  cancel(): void {
    this.#running?.cancel()
  }

  async run(known: KnownStart): Promise<BootEnd> {
    this.#known = known
    return this.#end(sandboxed, this.#options.bootEnvironment, this.#running)
  }

  /**
   * Boots again with another environment, clock and machine, and returns what both boots agree on. Without another environment if the
   * application doesn't boot with it. `undefined` if it boots only sometimes.
   */
  agreedOn(first: Recording): Promise<Recording | undefined> {
    return (this.#agreed ??= this.#compare(first))
  }

  async #compare(first: Recording): Promise<Recording | undefined> {
    const { bootEnvironment: env, root } = this.#options
    for (const one of [otherThan(env, first.missing ?? []), env]) {
      const { result } = await this.#end(varied, one)
      if (!isFailure(result)) return agreed(first, result, root)
    }
    return undefined
  }

  async #end(kind: BootKind, env: NodeJS.ProcessEnv, running?: RunningBoot): Promise<BootEnd> {
    const key = this.#keyOf(kind, env)
    const known = this.#results?.get(key) as BootEnd | undefined
    if (known !== undefined) return known
    const boot = running ?? startBoot(this.#options, kind, env)
    boot.giveStart(this.#known as KnownStart)
    const end = await boot.end
    // A boot that was stopped may come further on a faster machine.
    if (end.result.reads !== undefined) this.#results?.put(key, end, end.result.reads)
    return end
  }

  #keyOf(kind: BootKind, env: NodeJS.ProcessEnv = this.#options.bootEnvironment): string {
    return JSON.stringify([kind, env, this.#options.bootTimeout])
  }
}

export function isFailure(result: Recording | RecordingFailure): result is RecordingFailure {
  return 'kind' in result
}

/** Returns an environment in which no variable has the same value. Node's own settings stay. */
function otherThan(env: NodeJS.ProcessEnv, missing: readonly string[]): NodeJS.ProcessEnv {
  const added = missing.filter((name) => name === 'NODE_ENV' || !name.startsWith('NODE_'))
  return Object.fromEntries([
    ...Object.entries(env).map(([name, value = '']) => [name, otherValue(value)]),
    ...added.map((name) => [name, name === 'NODE_ENV' ? 'production' : '1']),
  ]) as NodeJS.ProcessEnv
}

/** Returns a value of the same kind, which an application that checks its environment accepts. */
function otherValue(value: string): string {
  if (/^(?:true|false)$/.test(value)) return value === 'true' ? 'false' : 'true'
  if (value === 'production') return 'development'
  return /^\d+$/.test(value) ? String(Number(value) + 1) : `${value}x`
}
