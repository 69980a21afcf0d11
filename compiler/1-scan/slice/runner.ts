import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Outcome, Program } from './protocol.ts'

/**
 * How much of the processor one batch may take, in ms, packages included that it has to load. Not how much time: a busy
 * machine may leave the thread little of it.
 */
const cpuLimit = 10_000

/** How long the thread may wait for something, in ms; all the while it takes less than `idleCpu` of the processor. */
const idleLimit = 10_000
const idleCpu = 20

/** How often that is looked at, in ms. */
const glance = 250

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
    if (!this.#waitForAnswer()) {
      const why = `it takes longer than ${cpuLimit / 1000} seconds to evaluate`
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

  /** Whether there is one in time. While this thread waits, what the process takes of the processor is the other's. */
  #waitForAnswer(): boolean {
    const used = (): number => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
    const start = used()
    let idleFrom = { time: performance.now(), cpu: start }
    while (Atomics.wait(this.#signal, 0, 0, glance) === 'timed-out') {
      const time = performance.now()
      const cpu = used()
      if (cpu - start >= cpuLimit) return false
      if (cpu - idleFrom.cpu >= idleCpu) idleFrom = { time, cpu }
      else if (time - idleFrom.time >= idleLimit) return false
    }
    return true
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
