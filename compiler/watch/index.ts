/** Builds whenever the application's files change. */
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BuildResult } from '../build.ts'
import type { OnPhase } from '../compile.ts'
import type { BuildOptions } from '../options.ts'
import { resolveOptions } from '../options.ts'
import type { BuilderMessage } from './builder.ts'
import { watchFiles } from './files.ts'
import { isWritten } from './written.ts'

export interface WatchOptions extends BuildOptions {
  /** Further files and folders whose change asks for a build. */
  readonly also?: readonly string[]
  /** Files and folders whose change does not. */
  readonly ignored?: readonly string[]
  /** Gives the environment in which options and schemas are computed. By default that of this process. */
  readonly env?: () => NodeJS.ProcessEnv
}

export interface WatchEvents {
  readonly onPhase: OnPhase
  /**
   * A build has ended.
   *
   * @param changed the file whose change asked for it; `undefined` for the first build, and one that was asked for
   * @param milliseconds from the change to the end of the build
   */
  onBuilt(result: BuildResult, changed: string | undefined, milliseconds: number): void
  /** The compiler itself has failed. It is asked again at the next change. */
  onError(error: unknown): void
}

export interface Watch {
  /** Builds now. */
  rebuild(): void
  /** Resolves when nothing is watched and no build runs. */
  close(): Promise<void>
}

interface Due {
  readonly changed: string | undefined
  readonly since: number
}

/** How long the file system is to be quiet, in ms: editors and version control write several files. */
const QUIET = 40

/** Builds, then again when a file has changed. Resolves when the first build has begun and changes are seen. */
export async function watch(
  { also = [], ignored = [], env = () => process.env, ...build }: WatchOptions,
  events: WatchEvents,
): Promise<Watch> {
  const { root, out } = resolveOptions(build)
  let builder: Builder | undefined
  let timer: NodeJS.Timeout | undefined
  /** What has changed while the file system was not quiet, with the time of the first change. */
  const changes = new Set<string>()
  let since = 0
  /** What asks for the next build. */
  let due: Due | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  const named = also.map((file) => path.resolve(file))
  const files = await watchFiles({
    root,
    ignored: [out, ...ignored].map((file) => path.resolve(file)),
    also: named,
    onChange: ask,
  })
  begin()
  return {
    rebuild: begin,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await files.close()
      discard()
      await running
    },
  }

  function ask(changed: string): void {
    if (changes.size === 0) since = performance.now()
    changes.add(changed)
    clearTimeout(timer)
    timer = setTimeout(answer, QUIET)
  }

  /** What a command has written is looked at when all of it is there. */
  function answer(): void {
    const changed = [...changes].find((file) => named.includes(file) || !isWritten(file, root))
    changes.clear()
    if (changed === undefined) return
    due ??= { changed, since }
    begin()
  }

  function begin(): void {
    due ??= { changed: undefined, since: performance.now() }
    running ??= run().finally(() => (running = undefined))
  }

  async function run(): Promise<void> {
    while (due !== undefined && !isClosed) {
      const { changed, since } = due
      due = undefined
      try {
        const { result, isSpent } = await builderFor(env()).build()
        if (isSpent) discard()
        files.add(result.read)
        // What was read while it changed is built again.
        if (due === undefined) events.onBuilt(result, changed, performance.now() - since)
      } catch (error) {
        discard()
        if (!isClosed) events.onError(error)
      }
    }
  }

  /** Options may have been computed from the environment: another one takes another thread. */
  function builderFor(environment: NodeJS.ProcessEnv): Builder {
    const print = JSON.stringify(environment)
    if (builder?.print !== print) discard()
    return (builder ??= createBuilder(build, environment, print, events.onPhase))
  }

  function discard(): void {
    void builder?.end()
    builder = undefined
  }
}

interface Builder {
  /** Of its environment. */
  readonly print: string
  build(): Promise<Extract<BuilderMessage, { type: 'built' }>>
  end(): Promise<number>
}

function createBuilder(
  options: BuildOptions,
  env: NodeJS.ProcessEnv,
  print: string,
  onPhase: OnPhase,
): Builder {
  const thread = new Worker(new URL('./builder.js', import.meta.url), { workerData: options, env })
  return {
    print,
    build: () =>
      new Promise((resolve, reject) => {
        const onMessage = (message: BuilderMessage): void => {
          if (message.type === 'phase') return onPhase(message.phase, message.slow)
          settle()
          resolve(message)
        }
        const onError = (error: unknown): void => {
          settle()
          reject(error)
        }
        const onExit = (): void => onError(new Error('The build was ended.'))
        const settle = (): void => {
          thread.off('message', onMessage).off('error', onError).off('exit', onExit)
        }
        thread.on('message', onMessage).on('error', onError).on('exit', onExit)
        thread.postMessage('build')
      }),
    end: () => thread.terminate(),
  }
}
