/** Boots an application beside the scan, in the sandbox. */
import type { ResolvedOptions } from '../model/index.ts'
import { agreed } from './agreement.ts'
import { Booter, sandboxed, varied, type BootKind } from './boot.ts'
import type { BootEnd, KnownStart } from './messages.ts'
import type { Recording, RecordingFailure } from './recording.ts'

/** Keeps the results of boots for later builds. */
export interface BootResults {
  get(key: string): unknown
  put(key: string, result: unknown, paths: readonly string[]): void
}

/** Boots the application in the sandbox while `compile` runs, if the options say so. */
export async function besideBoot<T>(
  options: ResolvedOptions,
  results: BootResults | undefined,
  compile: (beside: SandboxedBoot | undefined) => Promise<T>,
): Promise<T> {
  const { boot, trace, verify } = options
  if (boot === 'never' || trace || verify) return compile(undefined)
  const beside = new SandboxedBoot(options, results)
  if (boot === 'always') void beside.start()
  try {
    return await compile(beside)
  } finally {
    beside.end()
  }
}

export class SandboxedBoot {
  readonly #options: ResolvedOptions
  readonly #results: BootResults | undefined
  #booter: Booter | undefined
  #first: Promise<BootEnd> | undefined
  #known: KnownStart | undefined
  #agreed: Promise<BootEnd> | undefined

  constructor(options: ResolvedOptions, results: BootResults | undefined) {
    this.#options = options
    this.#results = results
  }

  /** Starts the boot ahead of `run`. */
  start(): Promise<BootEnd> {
    this.#first ??= this.#end(sandboxed, this.#options.bootEnvironment)
    // Awaited by `run`, unless the build fails earlier.
    this.#first.catch(() => undefined)
    return this.#first
  }

  /** Ends the process that still runs. */
  end(): void {
    this.#booter?.end()
  }

  run(known: KnownStart): Promise<BootEnd> {
    this.#known = known
    this.#booter?.giveStart(known)
    return this.start()
  }

  /**
   * Boots again with another environment, clock and machine, and returns what both boots agree on. Without another environment if the
   * application doesn't boot with it. A failure if it boots only sometimes.
   */
  agreedOn(first: Recording): Promise<BootEnd> {
    return (this.#agreed ??= this.#compare(first))
  }

  async #compare(first: Recording): Promise<BootEnd> {
    const { bootEnvironment: env, root } = this.#options
    const other = await this.#end(varied, otherThan(env, first.missing ?? []))
    const { result, output } = isFailure(other.result) ? await this.#end(varied, env) : other
    return { result: isFailure(result) ? result : agreed(first, result, root), output }
  }

  async #end(kind: BootKind, env: NodeJS.ProcessEnv): Promise<BootEnd> {
    const key = JSON.stringify([kind, env, this.#options.bootTimeout])
    const known = this.#results?.get(key) as BootEnd | undefined
    if (known !== undefined) return known
    const end = await this.#ready().boot(kind, env)
    // A boot that was stopped may come further on a faster machine.
    if (end.result.reads !== undefined) this.#results?.put(key, end, end.result.reads)
    return end
  }

  #ready(): Booter {
    if (this.#booter === undefined) {
      this.#booter = new Booter(this.#options)
      if (this.#known !== undefined) this.#booter.giveStart(this.#known)
    }
    return this.#booter
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
