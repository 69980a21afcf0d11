import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { diagnostic } from '../report/errors.ts'
import type { Diagnostic, Report, ResolvedOptions } from '../model/index.ts'
import { typescriptEnvironment } from '../util/module-kind.ts'
import { displayPath } from '../util/paths.ts'
import type { Recording, RecordingFailure, RecordingMessage } from './recording.ts'

/** How many characters of a failing application's output are shown. The end usually has the reason. */
const maxOutput = 1500

/** Additional time to wait for a busy process, in ms. Normally it reports its timeout itself. */
const patience = 1000

/**
 * Boots the application in a separate process that records what it declares.
 *
 * Plugins are loaded in the application's own environment, but nothing listens, no `onReady` hook runs and
 * nothing is compiled. The process ends when the application is ready. Returns undefined if booting fails;
 * the reason is reported.
 *
 * @param listens whether the source mentions `listen`
 */
export async function record(
  options: ResolvedOptions,
  listens: boolean,
  report: Report,
): Promise<Recording | undefined> {
  const { message, output } = await run(options, listens)
  if (message.type === 'recorded') return message.recording
  report(describe(message.failure, output.trim(), options))
  return undefined
}

interface Outcome {
  readonly message: RecordingMessage
  /** The end of the process's output. */
  readonly output: string
}

function run({ entry, bootTimeout }: ResolvedOptions, listens: boolean): Promise<Outcome> {
  const program = fileURLToPath(new URL('./child/main.js', import.meta.url))
  const child = fork(program, [entry, String(bootTimeout), String(listens)], {
    // Unlike JSON, it preserves `undefined`.
    serialization: 'advanced',
    silent: true,
    execArgv: [],
    env: { ...process.env, ...typescriptEnvironment },
  })
  let message: RecordingMessage | undefined
  let output = ''
  const keep = (text: Buffer): void => {
    output = (output + String(text)).slice(-maxOutput)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  child.on('message', (given) => {
    message ??= given as RecordingMessage
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), bootTimeout + patience)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      clearTimeout(timer)
      resolve({ message: message ?? { type: 'failed', failure: silent(signal) }, output })
    })
  })
}

/** Describes the end of a process that sent no message. */
function silent(signal: NodeJS.Signals | null): RecordingFailure {
  if (signal === 'SIGKILL') {
    return { kind: 'time', reason: 'running code that never ends', at: undefined }
  }
  const reason =
    signal === null
      ? 'it ends before it is ready: it waits for something that nothing brings'
      : `it is ended by ${signal}`
  return { kind: 'error', reason, at: undefined }
}

function describe(
  { kind, reason, at }: RecordingFailure,
  output: string,
  options: ResolvedOptions,
): Diagnostic {
  const { entry, root, bootTimeout } = options
  const found = at ?? { file: entry, line: 1, column: 1 }
  const place = { ...found, file: displayPath(found.file, root) }
  if (kind === 'none') return diagnostic('AOT_BOOT_WITHOUT_INSTANCE', place)
  const printed = output === '' ? ' ' : ` It printed:\n${output}\n`
  return kind === 'time'
    ? diagnostic('AOT_BOOT_TIMEOUT', place, String(bootTimeout / 1000), reason, printed)
    : diagnostic('AOT_BOOT_FAILS', place, reason, printed)
}
