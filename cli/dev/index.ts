/** `framework dev`: builds and runs the application, and repeats both whenever a file changes. */
import path from 'node:path'
import type { BuildResult } from '../../compiler/build.ts'
import type { BuildOptions } from '../../compiler/options.ts'
import { isTypeScript, typescriptEnvironment } from '../../compiler/util/module-kind.ts'
import type { WatchEvents } from '../watch/index.ts'
import { watch } from '../watch/index.ts'
import type { Output } from '../output.ts'
import { preloadsOf } from '../preloads.ts'
import { PARENT_ENDED, whenParentEnds } from '../parent-process.ts'
import { createStatusPrinter, printBuilds } from '../text/build-status.ts'
import { lacksStarter } from '../text/start.ts'
import { createApplication } from './application.ts'
import { environmentOf, flagsFor } from './environment.ts'
import { listenToKeys } from './keys.ts'
import type { Program } from './launch.ts'
import type { TakenPort } from './ports.ts'
import { checkPorts, isFree, portText, untilFree } from './ports.ts'

/** The options of the command. */
export interface DevelopmentOptions {
  readonly exec?: string
  readonly import?: string[]
  readonly 'env-file'?: string[]
  readonly port?: string
  readonly inspect?: boolean
  readonly watch?: string[]
  readonly ignore?: string[]
}

/**
 * Resolves when the user quits or the process that started the command ends.
 *
 * @param args arguments for the application
 */
export async function develop(
  build: BuildOptions,
  options: DevelopmentOptions,
  args: readonly string[],
  output: Output,
): Promise<void> {
  const { 'env-file': envFiles = [], exec, import: imports = [], port } = options
  const entry = path.resolve(build.entry)
  const hasLoader = exec !== undefined || imports.length > 0
  const nodeFlags = [
    ...(hasLoader ? [] : flagsFor(entry)),
    ...imports.flatMap((one) => ['--import', one]),
    ...(options.inspect ? ['--inspect'] : []),
    '--enable-source-maps',
  ]
  const env = (): NodeJS.ProcessEnv => ({
    // Don't expose an unfinished application to the network.
    HOST: '127.0.0.1',
    ...environmentOf(envFiles),
    ...(port !== undefined && { PORT: port }),
  })
  // Report a missing environment file before starting anything.
  env()
  /** The last successful build. */
  let lastGood: BuildResult | undefined
  let hasCheckedStarter = false
  const printStatus = createStatusPrinter(output)

  const checkPort = checkPorts(port, (text) => printStatus('red', text))
  const application = createApplication({
    onListening(url, listened, isFurther) {
      if (!isFurther) printStatus('green', `serves at ${url}`)
      checkPort(listened, isFurther)
    },
    onEnd(how, isServed, taken) {
      if (isServed) {
        const why = taken === undefined ? how : portText(taken)
        printStatus('red', `ended (${why}); the previous one keeps running`)
      } else if (taken === undefined) printStatus('red', `ended (${how}); waiting for a change`)
      else void waitFor(taken)
    },
  })
  const isRunning = (): boolean => application.isRunning
  const events = printBuilds(build, output, printStatus, isRunning)
  /** Aborted when the command stops waiting for a port. */
  let waiting = new AbortController()
  const watching = await watch(
    {
      ...build,
      env,
      also: [...envFiles, ...(options.watch ?? [])],
      ignored: options.ignore ?? [],
    },
    { ...events, onBuilt },
  )
  await new Promise<void>((resolve) => {
    const keys = [
      { name: 'r', description: 'restart', press: restart },
      { name: 'b', description: 'build again', press: () => watching.rebuild() },
      { name: 'q', description: 'quit', press: end },
    ]
    const stopKeys = listenToKeys(keys, end)
    if (process.stdin.isTTY)
      printStatus('green', keys.map(({ name, description }) => `${name} ${description}`).join(', '))
    process.once('SIGINT', end).once('SIGTERM', end)
    const stopWatching = whenParentEnds(() => {
      printStatus('red', PARENT_ENDED)
      end()
    })

    function end(): void {
      stopKeys()
      stopWatching()
      waiting.abort()
      resolve()
    }
  })
  await watching.close()
  await application.stop()

  function onBuilt(...build: Parameters<WatchEvents['onBuilt']>): void {
    events.onBuilt(...build)
    const [result] = build
    if (result.artifact === undefined) return
    lastGood = result
    const isFirst = !hasCheckedStarter
    hasCheckedStarter = true
    if (isFirst && lacksStarter(result.options, result.artifact.manifest)) {
      const name = path.relative(process.cwd(), entry)
      printStatus(
        'green',
        `starts ${name}, which exports its application and does not listen; \`framework init\` adds a file that starts it without this command`,
      )
    }
    restart()
  }

  async function waitFor(taken: TakenPort): Promise<void> {
    const { signal } = waiting
    // The port is free again, so no other program holds it: the application itself listens twice.
    if (await isFree(taken)) {
      printStatus('red', `ended: it listens at port ${taken.port} twice; waiting for a change`)
      return
    }
    const key = process.stdin.isTTY ? ', or at `r`' : ''
    printStatus('red', `${portText(taken)}. Starts when the port is free${key}`)
    if (await untilFree(taken, signal)) restart()
  }

  function restart(): void {
    waiting.abort()
    waiting = new AbortController()
    if (lastGood?.artifact === undefined) return
    const { options: resolved, artifact } = lastGood
    const program: Program = {
      entry,
      start: artifact.manifest.start,
      server: resolved.factory,
      preloads: preloadsOf(resolved),
      exec,
      nodeFlags,
      args,
      env: isTypeScript(entry) ? { ...typescriptEnvironment, ...env() } : env(),
    }
    application.start(program)
  }
}
