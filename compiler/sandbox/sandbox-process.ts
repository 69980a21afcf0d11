/** A process that evaluates code of the application. The scan blocks until it answers. Starting it takes time, so `start` is called once a request is likely. */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { deserialize, serialize } from 'node:v8'
import type { EvaluationRequest, Outcome, SupervisorMessage } from './protocol.ts'
import type { SupervisorData } from './supervisor.ts'

export type Reply =
  | { readonly outcomes: Outcome[] }
  /** The process has ended at that step, and has lost the definitions of earlier requests. */
  | { readonly stoppedAt: string; readonly why: string }

interface Supervisor extends Pick<SupervisorData, 'port' | 'signal'> {
  /** Number of messages read; `signal` counts those sent. */
  read: number
}

/** The interface of `SandboxProcess`, which a cache implements as well. */
export interface Evaluator {
  /** Starts the process ahead of the first request. */
  start(): void
  /** @param onSlow called with a step that takes long */
  run(request: EvaluationRequest, onSlow?: (step: string) => void): Reply
  close(): void
}

export class SandboxProcess implements Evaluator {
  readonly #root: string
  #supervisor: Supervisor | undefined

  constructor(root: string) {
    this.#root = root
  }

  start(): void {
    this.#supervisor ??= startSupervisor(this.#root)
  }

  run(request: EvaluationRequest, onSlow: (step: string) => void = () => undefined): Reply {
    if (request.isFirst) this.close()
    const supervisor = (this.#supervisor ??= startSupervisor(this.#root))
    const content = serialize(request)
    supervisor.port.postMessage(content, [content.buffer as ArrayBuffer])
    for (;;) {
      const message = nextMessage(supervisor)
      const step = stepAt(request, message.position)
      if (message.type === 'broken') throw new Error(`The sandbox fails: ${message.why}`)
      if (message.type === 'slow') {
        onSlow(step)
        continue
      }
      if (message.type === 'answer') {
        const outcomes = readOutcomes(message.outcomes, request.roots.length)
        if (outcomes !== undefined) return { outcomes }
      }
      this.close()
      const why = message.type === 'ended' ? message.why : 'gives no answer that can be read'
      return { stoppedAt: step, why }
    }
  }

  close(): void {
    this.#supervisor?.port.postMessage(null)
    this.#supervisor = undefined
  }
}

function startSupervisor(root: string): Supervisor {
  const { port1: port, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const workerData: SupervisorData = { port: port2, signal, root }
  const worker = new Worker(new URL('./supervisor.js', import.meta.url), {
    workerData,
    transferList: [port2],
    execArgv: [],
  })
  worker.unref()
  return { port, signal, read: 0 }
}

/** Blocks this thread until there is a message. */
function nextMessage(supervisor: Supervisor): SupervisorMessage {
  const { signal, read, port } = supervisor
  // A late notification, of a message that was read without waiting for it, wakes this thread as well.
  while (Atomics.load(signal, 0) === read) Atomics.wait(signal, 0, read)
  supervisor.read++
  return (receiveMessageOnPort(port) as { message: SupervisorMessage }).message
}

/** Returns the id at a position, which counts the steps and then the roots. */
function stepAt({ steps, roots }: EvaluationRequest, position: number): string {
  const root = roots[position - steps.length]
  return steps[position] ?? (root?.t === 'ref' ? root.id : '')
}

/** Checks an answer before it is used: evaluated code may have changed the functions that wrote it. */
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
