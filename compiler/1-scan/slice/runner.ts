import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Outcome, Program } from './protocol.ts'

/** How long one batch may take, packages included that it has to load. */
const timeLimit = 10_000

export interface Answer {
  readonly outcomes: Outcome[]
  /** The step that took so long that the thread was ended. */
  readonly stoppedAt?: string
}

/**
 * The worker thread that runs slices. The scan waits for its answer, because what it does next
 * depends on it. The thread starts with the first slice.
 */
export class SliceRunner {
  #worker: Worker | undefined
  #port: MessagePort | undefined
  /** Whether there is an answer, and the position of the step that is being run. */
  #signal = new Int32Array(new SharedArrayBuffer(8))
  readonly #root: string

  /** @param root the folder that the application is started in */
  constructor(root: string) {
    this.#root = root
  }

  run(program: Program): Answer {
    const port = this.#port ?? this.#start()
    Atomics.store(this.#signal, 0, 0)
    Atomics.store(this.#signal, 1, 0)
    port.postMessage(program)
    if (Atomics.wait(this.#signal, 0, 0, timeLimit) === 'timed-out') {
      const why = `it takes longer than ${timeLimit / 1000} seconds to evaluate`
      const position = Atomics.load(this.#signal, 1)
      void this.close()
      return {
        outcomes: this.#failed(program, why),
        stoppedAt: program.steps[position] ?? program.steps.at(-1) ?? '',
      }
    }
    const answer = receiveMessageOnPort(port) as { message: Outcome[] } | undefined
    return { outcomes: answer?.message ?? this.#failed(program, 'evaluating it gave no answer') }
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#port?.close()
    this.#port = undefined
    await worker?.terminate()
  }

  #start(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#signal = new Int32Array(new SharedArrayBuffer(8))
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: { port: port2, signal: this.#signal, root: this.#root },
      transferList: [port2],
      // Slices see neither the environment nor the terminal.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    })
    this.#worker.unref()
    this.#port = port1
    return port1
  }

  #failed(program: Program, why: string): Outcome[] {
    return program.roots.map(() => ({ type: 'failed', why }))
  }
}
