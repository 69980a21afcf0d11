/**
 * The thread that supervises a booting process, because the scan blocks the main thread: it answers the questions of the process, and
 * ends it if it takes too long.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import module from 'node:module'
import type { Duplex } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import { workerData, type MessagePort } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { cpuTime } from '../1-scan/sandbox/cpu-time.ts'
import { messageReader, wordOf } from '../1-scan/sandbox/message-frames.ts'
import { spawnSandbox } from '../1-scan/sandbox/spawn.ts'
import { typescriptEnvironment } from '../util/module-kind.ts'
import type { BootSettings, FromChild, KnownStart } from './messages.ts'
import { hooksPipe, mainPipe } from './messages.ts'
import type { Recording, RecordingFailure } from './recording.ts'
import { transpile } from './transpile.ts'

export interface SupervisorData {
  readonly port: MessagePort
  readonly settings: BootSettings
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

/** The result of a boot. */
export interface BootEnd {
  readonly result: Recording | RecordingFailure
  /** The end of what the application printed. */
  readonly output: string
}

/** The number of characters of a failing application's output that are kept. The end usually has the reason. */
const maxOutput = 1500

/** Additional time to wait for a busy process, in ms. Normally it reports its timeout itself. */
const patience = 1000

/** A sandboxed application that uses less CPU time than `idleCpu` in `idleLimit` waits for something that doesn't come. In ms. */
const idleLimit = 3000
const idleCpu = 20
const checkInterval = 250

const { port, settings, root, env } = workerData as SupervisorData
let output = ''
let isWaiting = false
let known: KnownStart | undefined
let answerStart: ((start: KnownStart) => void) | undefined

const child = start()
for (const stream of [child.stdout, child.stderr])
  stream?.on('data', (text: Buffer) => (output = (output + String(text)).slice(-maxOutput)))
for (const number of [mainPipe, hooksPipe]) serve(child.stdio[number] as Duplex)
child.on('error', ({ message }) => fail('error', `its process cannot be started: ${message}`))
child.on('close', (_, signal) => {
  if (signal === null)
    fail('error', 'it ends before it is ready: it waits for something that never happens')
  else if (signal === 'SIGKILL') fail('time', 'running code that never ends')
  else fail('error', `it is ended by ${signal}`)
})
setTimeout(() => child.kill('SIGKILL'), settings.limit + patience)
if (settings.isSandboxed) watchIdleness()
port.on('message', (start: KnownStart | null) => {
  if (start === null) return finish()
  known = start
  answerStart?.(start)
})

function start(): ChildProcess {
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

function serve(pipe: Duplex): void {
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
    else if (known !== undefined) answer(known)
    else {
      isWaiting = true
      answerStart = (start) => {
        isWaiting = false
        answer(start)
      }
    }
  }
  pipe.on(
    'data',
    messageReader(take, () => fail('error', 'it sends something that cannot be read')),
  )
  // A broken pipe is followed by the end of the process, which says more.
  pipe.on('error', () => undefined)
}

function watchIdleness(): void {
  let active = { time: performance.now(), cpu: 0 }
  const check = async (): Promise<void> => {
    const time = performance.now()
    const cpu = await cpuTime(child.pid as number)
    if (cpu === undefined) return
    if (isWaiting || cpu - active.cpu >= idleCpu) active = { time, cpu }
    else if (time - active.time >= idleLimit)
      fail('time', `doing nothing for ${idleLimit / 1000} seconds`)
  }
  setInterval(() => void check(), checkInterval)
}

function fail(kind: RecordingFailure['kind'], reason: string): void {
  finish({ kind, reason, at: undefined })
}

/** Sends the first result, and ends the process. Others that it has started may go on. */
function finish(result?: Recording | RecordingFailure): void {
  child.kill('SIGKILL')
  if (result !== undefined) port.postMessage({ result, output } satisfies BootEnd)
  port.close()
  // Pipes that other processes have inherited would keep this thread alive.
  process.exit()
}
