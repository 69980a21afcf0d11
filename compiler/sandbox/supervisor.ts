/**
 * The thread that supervises the sandbox, because the scan blocks while it waits for an answer. It passes requests and answers on,
 * reports steps that take long, and kills the sandbox if a request takes too long.
 */
import { workerData, type MessagePort } from 'node:worker_threads'
import type { Duplex, Readable } from 'node:stream'
import { cpuTime } from './cpu-time.ts'
import { messageReader, numberIn, pipe as pipeNumber, wordOf, wordSize } from './message-frames.ts'
import type { SupervisorMessage } from './protocol.ts'
import { spawnSandbox } from './spawn.ts'

/** CPU time that one request may take, in ms, with the packages that it loads. Wall-clock time would depend on how busy the machine is. */
const cpuLimit = 10_000

/** How long the sandbox may be idle during a request, in ms. It is idle if it uses less CPU time than `idleCpu` in that time. */
const idleLimit = 10_000
const idleCpu = 20

/** Steps that take longer are reported to the scan, in ms. */
const slowness = 1000

const checkInterval = 250

export interface SupervisorData {
  readonly port: MessagePort
  /** Counts the messages of the supervisor. The scan blocks until it changes. */
  readonly signal: Int32Array
  /** The folder that the application is started in. */
  readonly root: string
}

interface Progress {
  position: number
  /** Start of this step; `Infinity` once it is reported as slow. */
  since: number
  startCpu: number | undefined
  /** When the sandbox was last seen working. */
  active: { readonly time: number; readonly cpu: number } | undefined
}

const { port, signal, root } = workerData as SupervisorData
let progress: Progress | undefined
let isEnded = false
/** The last characters of the sandbox's stderr. */
let printed = ''

// The scan is blocked until a message arrives: an exception must become one.
process.on('uncaughtException', (error) => {
  send({ type: 'broken', position: 0, why: String(error.stack) })
})

const program = new URL('./child/main.js', import.meta.url)
const child = spawnSandbox({ program, args: [root], root })
const pipe = child.stdio[pipeNumber] as Duplex
const stderr = child.stderr as Readable
stderr.on('data', (text: Buffer) => (printed = (printed + String(text)).slice(-4000)))
const read = messageReader(receive, () => end('gives no answer that can be read'))
pipe.on('data', read)
// A broken pipe is followed by the end of the process, which says more.
pipe.on('error', () => undefined)
child.on('error', ({ message }) => end(`needs a process that cannot be started: ${message}`))
child.on('close', (code, by) => {
  const [cause] = /^.*(?:Error|ERROR): .*/m.exec(printed) ?? []
  end(`ends its process (${cause ?? by ?? `code ${code}`})`)
})
setInterval(() => void check(), checkInterval).unref()

port.on('message', (request: Uint8Array | null) => {
  if (request === null) return close()
  const since = performance.now()
  progress = { position: 0, since, startCpu: undefined, active: undefined }
  pipe.write(wordOf(request.byteLength))
  pipe.write(request)
})

/** A message of the length of a word is a position; any other is the answer. */
function receive(content: Uint8Array): void {
  if (progress === undefined) return
  if (content.byteLength === wordSize) {
    progress.position = numberIn(content)
    progress.since = performance.now()
  } else {
    const { position } = progress
    progress = undefined
    send({ type: 'answer', position, outcomes: content })
  }
}

async function check(): Promise<void> {
  const current = progress
  if (current === undefined || isEnded) return
  const time = performance.now()
  if (time - current.since >= slowness) {
    current.since = Infinity
    send({ type: 'slow', position: current.position })
  }
  // If the CPU time isn't known, count all of the time.
  const cpu = (await cpuTime(child.pid as number)) ?? time
  if (current !== progress) return
  current.startCpu ??= cpu
  if (current.active === undefined || cpu - current.active.cpu >= idleCpu)
    current.active = { time, cpu }
  if (cpu - current.startCpu >= cpuLimit) {
    end(`takes longer than ${cpuLimit / 1000} seconds to evaluate`)
  } else if (time - current.active.time >= idleLimit) {
    end(`does nothing for ${idleLimit / 1000} seconds`)
  }
}

function end(why: string): void {
  if (isEnded) return
  send({ type: 'ended', position: progress?.position ?? 0, why })
  close()
}

function close(): void {
  isEnded = true
  child.kill('SIGKILL')
  port.close()
}

function send(message: SupervisorMessage): void {
  port.postMessage(message)
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}
