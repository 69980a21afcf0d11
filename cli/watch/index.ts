/** Builds again whenever the application's files change. */
import path from 'node:path'
import type { BuildResult } from '../../compiler/build.ts'
import type { OnPhase } from '../../compiler/model/index.ts'
import { resolveOptions, type BuildOptions } from '../../compiler/options.ts'
import { createBuilder, type Builder } from './build-thread.ts'
import { watchFiles } from './files.ts'
import { isWritten } from './written.ts'

export interface WatchOptions extends BuildOptions {
  /** Further files and folders to watch. */
  readonly also?: readonly string[]
  /** Files and folders whose changes are ignored. */
  readonly ignored?: readonly string[]
  /** Returns the environment in which options and schemas are computed. By default that of this process. */
  readonly env?: () => NodeJS.ProcessEnv
}

export interface WatchEvents {
  readonly onPhase: OnPhase
  /**
   * Called after a build, unless a file has changed meanwhile: then the next build follows.
   *
   * @param changed the file whose change started it; `undefined` for the first build and after `rebuild`
   * @param milliseconds from the change to the end of the build
   */
  onBuilt(result: BuildResult, changed: string | undefined, milliseconds: number): void
  /** Called if the compiler itself fails. The next change starts a new build. */
  onError(error: unknown): void
}

export interface Watch {
  rebuild(): void
  /** Resolves when nothing is watched any more and no build runs. */
  close(): Promise<void>
}

interface DueBuild {
  readonly changed: string | undefined
  readonly since: number
}

/** A build starts when no file has changed for so long, in ms: editors and version control write several files. */
const DEBOUNCE = 40

/** Builds now and whenever a file has changed. Resolves when the first build has begun and files are watched. */
export async function watch(
  { also = [], ignored = [], env = () => process.env, ...build }: WatchOptions,
  events: WatchEvents,
): Promise<Watch> {
  const { root, out } = resolveOptions(build)
  let builder: Builder | undefined
  /** The environment of the thread, as JSON. */
  let builderKey = ''
  let timer: NodeJS.Timeout | undefined
  /** Files that have changed since the last build was due, with the time of the first change. */
  const changes = new Set<string>()
  let since = 0
  /** The next build. */
  let due: DueBuild | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  const alsoPaths = also.map((file) => path.resolve(file))
  const files = await watchFiles({
    root,
    ignored: [out, ...ignored].map((file) => path.resolve(file)),
    also: alsoPaths,
    onChange: add,
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

  function add(changed: string): void {
    if (changes.size === 0) since = performance.now()
    changes.add(changed)
    clearTimeout(timer)
    timer = setTimeout(flush, DEBOUNCE)
  }

  /** Starts a build unless a command, such as a deployment, wrote all of the files. It can be recognised once it has written all of them. */
  function flush(): void {
    const changed = [...changes].find((file) => alsoPaths.includes(file) || !isWritten(file, root))
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
        const { result, mustBeReplaced } = await builderFor(env()).build()
        if (mustBeReplaced) discard()
        files.add(result.read)
        // If a file changed during the build, the result may be outdated.
        if (due === undefined) events.onBuilt(result, changed, performance.now() - since)
      } catch (error) {
        discard()
        if (!isClosed) events.onError(error)
      }
    }
  }

  /** Options may depend on the environment, so a changed environment needs a new thread. */
  function builderFor(environment: NodeJS.ProcessEnv): Builder {
    const key = JSON.stringify(environment)
    if (builderKey !== key) discard()
    builderKey = key
    return (builder ??= createBuilder(build, environment, events.onPhase))
  }

  function discard(): void {
    void builder?.end()
    builder = undefined
  }
}
