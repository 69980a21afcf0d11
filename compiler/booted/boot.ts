/** Boots an application in a process of its own that records what it declares. */
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { once } from 'node:events'
import { refusal } from '../sandbox/child/describe-error.ts'
import { diagnostic, warning } from '../report/errors.ts'
import { isMissingModule } from '../report/faults.ts'
import type { Diagnostic, ResolvedOptions } from '../model/index.ts'
import { displayPath } from '../util/paths.ts'
import type { BootEnd, BootSettings, KnownStart, ToSupervisor } from './messages.ts'
import type { RecordingFailure } from './recording.ts'
import type { SupervisorData } from './supervisor.ts'

export type BootKind = Pick<BootSettings, 'isSandboxed' | 'isVaried'>

/** Boots in the application's own environment, but nothing listens, no `onReady` hook runs and Fastify compiles nothing. */
export const unconfined: BootKind = { isSandboxed: false, isVaried: false }

/** Boots without network, writes, processes, threads and native code, and without any environment but the given one. */
export const sandboxed: BootKind = { isSandboxed: true, isVaried: false }

/** Boots in the sandbox, with another clock and on another machine. */
export const varied: BootKind = { isSandboxed: true, isVaried: true }

/** Boots an application in processes of their own, one after the other. Its thread keeps this process alive until `end`. */
export class Booter {
  readonly #options: ResolvedOptions
  readonly #port: MessagePort
  readonly #crash: Promise<never>

  constructor(options: ResolvedOptions) {
    const { port1, port2 } = new MessageChannel()
    const workerData: SupervisorData = { port: port2, root: options.root }
    const worker = new Worker(new URL('./supervisor.js', import.meta.url), {
      workerData,
      transferList: [port2],
      execArgv: [],
    })
    this.#options = options
    this.#port = port1
    this.#crash = once(worker, 'error').then(([error]) => Promise.reject(error as Error))
    // `boot` reports it.
    this.#crash.catch(() => undefined)
  }

  boot(kind: BootKind, env: NodeJS.ProcessEnv): Promise<BootEnd> {
    const { entry, bootTimeout: limit } = this.#options
    this.#send({ boot: { entry, limit, ...kind }, env })
    const end = once(this.#port, 'message').then(([message]) => message as BootEnd)
    return Promise.race([end, this.#crash])
  }

  /** Tells boots what the scan knows: they wait for that once the modules are loaded. */
  giveStart(known: KnownStart): void {
    this.#send({ known })
  }

  /** Ends the process that still runs. */
  end(): void {
    this.#send({ end: true })
  }

  #send(message: ToSupervisor): void {
    this.#port.postMessage(message)
  }
}

/** Describes why a boot that the user asked for has failed. */
export function bootFailure(
  failure: RecordingFailure,
  output: string,
  { entry, root, bootTimeout }: ResolvedOptions,
): Diagnostic {
  const { kind, reason, at = { file: entry, line: 1, column: 1 } } = failure
  const place = { ...at, file: displayPath(at.file, root) }
  const printed = output.trim() === '' ? ' ' : ` It printed:\n${output.trim()}\n`
  const why = withoutPeriod(reason)
  if (kind === 'none') return diagnostic('AOT_BOOT_WITHOUT_INSTANCE', place)
  if (kind === 'error') return diagnostic('AOT_BOOT_FAILS', place, why, printed)
  return diagnostic('AOT_BOOT_TIMEOUT', place, String(bootTimeout / 1000), why, printed)
}

/**
 * Explains why a sandboxed boot can't complete the scan, and what helps.
 *
 * @param plugins packages whose plugins may declare what only a boot shows
 */
export function stopOf(
  { kind, reason, at, missing = [] }: RecordingFailure,
  output: string,
  { entry, root, bootTimeout }: ResolvedOptions,
  plugins: readonly string[] = [],
): Diagnostic {
  const place = at ?? { file: entry, line: 1, column: 1 }
  const text = `${reason}\n${output}`
  const needed = missing.filter((name) => text.match(/\w+/g)?.includes(name))
  const why: Readonly<Record<RecordingFailure['kind'], string>> = {
    none: 'it creates no instance',
    idle: `it was ${reason}`,
    time: `after ${bootTimeout / 1000} s it was ${reason}`,
    error: withoutPeriod(reason),
  }
  return warning(
    'AOT_BOOT_STOPS',
    { ...place, file: displayPath(place.file, root) },
    why[kind],
    stepAfter(text, needed, kind),
    plugins,
  )
}

function stepAfter(
  text: string,
  needed: readonly string[],
  kind: RecordingFailure['kind'],
): string {
  if (isMissingModule(text)) return 'Install or generate what is missing before the build.'
  if (needed.length > 0)
    return `Give ${needed.join(', ')} any value in a file that you name with \`--env-file\`.`
  const trace = 'Build with `--trace` to boot it in your environment.'
  if (/ERR_DLOPEN_DISABLED|loading addons is disabled|\.node'/.test(text))
    return `The sandbox loads no native addons. ${trace}`
  const isRefused = text.includes(refusal) || text.includes('ERR_ACCESS_DENIED')
  if (isRefused) return `The sandbox has no network, and writes nothing. ${trace}`
  return kind === 'time'
    ? 'Allow more time with `--boot-timeout`.'
    : `It has no environment but that of \`--env-file\`. ${trace}`
}

/** A sentence ends with the reason, and needs no list of modules. */
function withoutPeriod(reason: string): string {
  return reason.replace(/\nRequire stack:\n[^]*/, '').replace(/(?<!\.)\.$/, '')
}
