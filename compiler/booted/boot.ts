import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { diagnostic } from '../report/errors.ts'
import type { Report, ResolvedOptions } from '../model/index.ts'
import { typescriptEnvironment } from '../util/module-kind.ts'
import { displayPath } from '../util/paths.ts'
import type { Booted } from './recorded.ts'
import { toTree } from './recorded.ts'
import type { Recording, RecordingFailure } from './recording.ts'

/** The number of characters of a failing application's output that are shown. The end usually has the reason. */
const maxOutput = 1500

/** Additional time to wait for a busy process, in ms. Normally it reports its timeout itself. */
const patience = 1000

/**
 * Boots the application in a separate process that records what it declares.
 *
 * Plugins are loaded in the application's own environment, but nothing listens, no `onReady` hook runs and
 * Fastify compiles nothing. The process ends when the application is ready. Returns undefined if booting fails;
 * the reason is reported.
 *
 * @param listens whether the source mentions `listen`, so that the recording process waits for the instance that listens
 */
export async function boot(
  options: ResolvedOptions,
  listens: boolean,
  report: Report,
): Promise<Booted | undefined> {
  const { entry, root, bootTimeout } = options
  const program = fileURLToPath(new URL('./child/main.js', import.meta.url))
  const child = fork(program, [entry, String(bootTimeout), String(listens)], {
    // Unlike JSON, it preserves `undefined`.
    serialization: 'advanced',
    silent: true,
    execArgv: [],
    env: { ...process.env, ...typescriptEnvironment },
  })
  const messages: (Recording | RecordingFailure)[] = []
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => (output = (output + String(text)).slice(-maxOutput)))
  }
  child.on('message', (message) => messages.push(message as Recording | RecordingFailure))
  const timer = setTimeout(() => child.kill('SIGKILL'), bootTimeout + patience)
  const [, signal] = (await once(child, 'close')) as [unknown, NodeJS.Signals | null]
  clearTimeout(timer)
  const [result = endedBy(signal)] = messages
  if (!('kind' in result)) return toTree(result, options)
  const { kind, reason, at = { file: entry, line: 1, column: 1 } } = result
  const place = { ...at, file: displayPath(at.file, root) }
  const printed = output.trim() === '' ? ' ' : ` It printed:\n${output.trim()}\n`
  const limit = String(bootTimeout / 1000)
  if (kind === 'none') report(diagnostic('AOT_BOOT_WITHOUT_INSTANCE', place))
  else if (kind === 'time') report(diagnostic('AOT_BOOT_TIMEOUT', place, limit, reason, printed))
  else report(diagnostic('AOT_BOOT_FAILS', place, reason, printed))
  return undefined
}

/** Describes the end of a process that sent no message. */
function endedBy(signal: NodeJS.Signals | null): RecordingFailure {
  if (signal === 'SIGKILL') {
    return { kind: 'time', reason: 'running code that never ends', at: undefined }
  }
  const reason =
    signal === null
      ? 'it ends before it is ready: it waits for something that never happens'
      : `it is ended by ${signal}`
  return { kind: 'error', reason, at: undefined }
}
