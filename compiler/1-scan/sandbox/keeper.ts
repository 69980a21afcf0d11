/**
 * The thread that looks after the process which runs slices: the scan waits for an answer, and cannot do it itself. It
 * hands questions and answers on, says what takes long, and ends the process when that takes too long.
 */
import { workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { cpuTime } from './cpu-time.ts'
import { messageReader, numberIn, wordOf, wordSize } from './frames.ts'
import { startProcess } from './process.ts'
import type { Report } from './protocol.ts'

/**
 * How much of the processor one question may take, in ms, packages included that have to be loaded. Not how much time: a
 * busy machine may leave the process little of it.
 */
const cpuLimit = 10_000

/** How long the process may do nothing, in ms; all the while it takes less than `idleCpu` of the processor. */
const idleLimit = 10_000
const idleCpu = 20

/** What takes longer is told to the scan, in ms. */
const slowness = 1000

/** How often all that is looked at, in ms. */
const glance = 250

export interface KeeperData {
  readonly port: MessagePort
  /** Counts the reports. */
  readonly signal: Int32Array
  /** The folder that the application is started in. */
  readonly root: string
}

/** What the process has been asked, and how far it has come. */
interface Question {
  position: number
  /** Since when it is there. */
  since: number
  isTold: boolean
  startCpu: number | undefined
  /** When it was last seen to do something. */
  active: { readonly time: number; readonly cpu: number } | undefined
}

const { port, signal, root } = workerData as KeeperData
let question: Question | undefined
let isEnded = false
/** The end of what the process has printed. */
let printed = ''

// The scan waits for reports, and hears of nothing else.
process.on('uncaughtException', (error) => {
  report({ type: 'broken', position: 0, why: String(error.stack) })
})

const { process: child, pipe, stderr } = startProcess(root)
stderr.on('data', (text: Buffer) => (printed = (printed + String(text)).slice(-4000)))
const unreadable = 'gives no answer that can be read'
pipe.on(
  'data',
  messageReader(hear, () => end(unreadable)),
)
// It is the end of the process that counts.
pipe.on('error', () => undefined)
child.on('error', ({ message }) => end(`needs a process that cannot be started: ${message}`))
child.on('close', (code, by) => {
  const [cause] = /^.*\w*(?:Error|ERROR): .*/m.exec(printed) ?? []
  end(`ends its process (${cause ?? by ?? `code ${code}`})`)
})
setInterval(() => void look(), glance).unref()

port.on('message', (content: Uint8Array | null) => {
  if (content === null) return close()
  const since = performance.now()
  question = { position: 0, since, isTold: false, startCpu: undefined, active: undefined }
  pipe.write(wordOf(content.byteLength))
  pipe.write(content)
})

function hear(content: Uint8Array): void {
  if (question === undefined) return
  if (content.byteLength === wordSize) {
    Object.assign(question, {
      position: numberIn(content),
      since: performance.now(),
      isTold: false,
    })
  } else {
    const { position } = question
    question = undefined
    report({ type: 'answer', position, outcomes: content })
  }
}

async function look(): Promise<void> {
  const asked = question
  if (asked === undefined || isEnded) return
  const time = performance.now()
  if (!asked.isTold && time - asked.since >= slowness) {
    asked.isTold = true
    report({ type: 'slow', position: asked.position })
  }
  // Where that cannot be told, all of the time counts.
  const cpu = (await cpuTime(child.pid as number)) ?? time
  if (asked !== question) return
  asked.startCpu ??= cpu
  if (asked.active === undefined || cpu - asked.active.cpu >= idleCpu) asked.active = { time, cpu }
  if (cpu - asked.startCpu >= cpuLimit) {
    end(`takes longer than ${cpuLimit / 1000} seconds to evaluate`)
  } else if (time - asked.active.time >= idleLimit) {
    end(`does nothing for ${idleLimit / 1000} seconds`)
  }
}

function end(why: string): void {
  if (isEnded) return
  report({ type: 'ended', position: question?.position ?? 0, why })
  close()
}

function close(): void {
  isEnded = true
  child.kill('SIGKILL')
  port.close()
}

function report(one: Report): void {
  port.postMessage(one)
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}
