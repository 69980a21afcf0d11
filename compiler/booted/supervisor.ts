/**
 * The thread that supervises booting processes, because the scan blocks the main thread: it answers their questions, and ends one that
 * takes too long.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import module from 'node:module'
import type { Duplex } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import { workerData, type MessagePort } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { messageReader, wordOf } from '../sandbox/message-frames.ts'
import { spawnSandbox } from '../sandbox/spawn.ts'
import { typescriptEnvironment } from '../util/module-kind.ts'
import type { BootEnd, BootSettings, FromChild, KnownStart, ToSupervisor } from './messages.ts'
import { hooksPipe, mainPipe } from './messages.ts'
import type { RecordingFailure } from './recording.ts'
import { transpile } from './transpile.ts'

export interface SupervisorData {
  readonly port: MessagePort
  readonly root: string
}

/** The number of characters of a failing application's output that are kept. The end usually has the reason. */
const maxOutput = 1500

/** Additional time to wait for a busy process, in ms. Normally it reports its timeout itself. */
const patience = 1000

const { port, root } = workerData as SupervisorData
const running = new Set<ChildProcess>()
let know: (known: KnownStart) => void = () => undefined
const whenKnown = new Promise<KnownStart>((resolve) => (know = resolve))

port.on('message', (message: ToSupervisor) => {
  if ('end' in message) end()
  else if ('known' in message) know(message.known)
  else void boot(message.boot, message.env).then((result) => port.postMessage(result))
})

function boot(settings: BootSettings, env: NodeJS.ProcessEnv): Promise<BootEnd> {
  return new Promise((resolve) => {
    let output = ''
    const child = start(settings, env)
    running.add(child)
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (output = (output + String(text)).slice(-maxOutput)))
    for (const number of [mainPipe, hooksPipe])
      serve(child.stdio[number] as Duplex, finish, () =>
        fail('error', 'it sends something that cannot be read'),
      )
    child.on('error', ({ message }) => fail('error', `its process cannot be started: ${message}`))
    child.on('close', (_, signal) => {
      if (signal === null)
        fail('error', 'it ends before it is ready: it waits for something that never happens')
      else if (signal === 'SIGKILL') fail('time', 'running code that does not return')
      else fail('error', `it is ended by ${signal}`)
    })
    const limit = setTimeout(() => child.kill('SIGKILL'), settings.limit + patience)

    function fail(kind: RecordingFailure['kind'], reason: string): void {
      finish({ kind, reason, at: undefined })
    }

    /** Takes the first result, and ends the process. Others that it has started may go on. */
    function finish(result: BootEnd['result']): void {
      child.kill('SIGKILL')
      running.delete(child)
      clearTimeout(limit)
      resolve({ result, output })
    }
  })
}

function start(settings: BootSettings, env: NodeJS.ProcessEnv): ChildProcess {
  const program = new URL('./child/main.js', import.meta.url)
  const args = [JSON.stringify(settings)]
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const
  const given = { ...env, ...typescriptEnvironment }
  if (settings.isSandboxed) {
    const allowsThreads = !('registerHooks' in module)
    return spawnSandbox({ program, args, root, env: given, stdio: [...stdio], allowsThreads })
  }
  return spawn(process.execPath, [fileURLToPath(program), ...args], {
    env: given,
    stdio: [...stdio],
  })
}

/** Answers the questions of a process. */
function serve(
  pipe: Duplex,
  finish: (result: BootEnd['result']) => void,
  onUnreadable: () => void,
): void {
  const answer = (value: unknown): void => {
    const content = serialize(value)
    pipe.write(wordOf(content.byteLength))
    pipe.write(content)
  }
  const take = (content: Uint8Array): void => {
    const message = deserialize(content) as FromChild
    if ('recording' in message) finish(message.recording)
    else if ('failure' in message) finish(message.failure)
    else if (message.ask === 'javascript') void transpile(message.file, message.format).then(answer)
    else void whenKnown.then(answer)
  }
  pipe.on('data', messageReader(take, onUnreadable))
  // A broken pipe is followed by the end of the process, which says more.
  pipe.on('error', () => undefined)
}

function end(): void {
  for (const child of running) child.kill('SIGKILL')
  port.close()
  // Pipes that other processes have inherited would keep this thread alive.
  process.exit()
}
