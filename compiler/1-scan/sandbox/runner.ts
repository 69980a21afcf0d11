import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { deserialize, serialize } from 'node:v8'
import type { KeeperData } from './keeper.ts'
import type { Outcome, Program, Report } from './protocol.ts'

export type Answer =
  | { readonly outcomes: Outcome[] }
  /** The process has ended, at that step. What it was told is forgotten. */
  | { readonly stoppedAt: string; readonly why: string }

interface Keeper {
  readonly port: MessagePort
  /** Counts the reports. */
  readonly signal: Int32Array
  /** How many of them were read. */
  read: number
}

/**
 * The process that runs slices. The scan waits for its answer, because what it does next depends on it. Starting it takes
 * a tenth of what a small build does: one without slices has none, and others start it ahead of the first.
 */
export class SliceRunner {
  readonly #root: string
  #keeper: Keeper | undefined

  /** @param root the folder that the application is started in */
  constructor(root: string) {
    this.#root = root
  }

  /** Goes on at once: what is asked meanwhile waits for the process. */
  start(): Keeper {
    return (this.#keeper ??= startKeeper(this.#root))
  }

  /** @param onSlow is told the step that takes long */
  run(program: Program, onSlow: (step: string) => void = () => undefined): Answer {
    const keeper = this.start()
    const question = serialize(program)
    keeper.port.postMessage(question, [question.buffer as ArrayBuffer])
    for (;;) {
      const report = nextReport(keeper)
      const step = stepsOf(program)[report.position] ?? ''
      if (report.type === 'broken') throw new Error(`The keeper of slices fails: ${report.why}`)
      if (report.type === 'slow') {
        onSlow(step)
        continue
      }
      if (report.type === 'answer') {
        const outcomes = readOutcomes(report.outcomes, program.roots.length)
        if (outcomes !== undefined) return { outcomes }
      }
      this.close()
      const why = report.type === 'ended' ? report.why : 'gives no answer that can be read'
      return { stoppedAt: step, why }
    }
  }

  close(): void {
    this.#keeper?.port.postMessage(null)
    this.#keeper = undefined
  }
}

function startKeeper(root: string): Keeper {
  const { port1: port, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const workerData: KeeperData = { port: port2, signal, root }
  const worker = new Worker(new URL('./keeper.js', import.meta.url), {
    workerData,
    transferList: [port2],
    execArgv: [],
  })
  worker.unref()
  return { port, signal, read: 0 }
}

/** Waits for it. */
function nextReport(keeper: Keeper): Report {
  Atomics.wait(keeper.signal, 0, keeper.read)
  keeper.read++
  return (receiveMessageOnPort(keeper.port) as { message: Report }).message
}

/** Steps by position, and after them what is asked for. */
function stepsOf({ steps, roots }: Program): readonly string[] {
  return [...steps, ...roots.map((root) => (root.t === 'ref' ? root.id : ''))]
}

/** What the process says, when it is an answer: it may be anything, since slices may have got at what it is made with. */
function readOutcomes(content: Uint8Array, count: number): Outcome[] | undefined {
  try {
    const outcomes = deserialize(content) as unknown
    const isAnswer =
      Array.isArray(outcomes) && outcomes.length === count && outcomes.every(isOutcome)
    return isAnswer ? (outcomes as Outcome[]) : undefined
  } catch {
    return undefined
  }
}

function isOutcome(one: unknown): boolean {
  const { type, why, holes, shape } = (one ?? {}) as Partial<Record<string, unknown>>
  switch (type) {
    case 'failed':
      return typeof why === 'string'
    case 'plain':
      return Array.isArray(holes)
    default:
      return type === 'shape' && typeof shape === 'object' && shape !== null
  }
}
