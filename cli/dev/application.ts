/** Keeps an application running while `framework dev` replaces it again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { canOverlap, launch } from './launch.ts'
import type { Program, Run } from './launch.ts'
import type { TakenPort } from './ports.ts'

export interface ApplicationEvents {
  /**
   * Called for each address of the application.
   *
   * @param port undefined if the application listens at a pipe or socket file
   * @param isFurther whether the application listens at another address already
   */
  onListening(url: string, port: number | undefined, isFurther: boolean): void
  /**
   * Called when the application ends by itself.
   *
   * @param isServed whether its predecessor keeps running
   * @param taken the port in use that kept it from listening
   */
  onEnd(how: string, isServed: boolean, taken: TakenPort | undefined): void
}

export interface Application {
  readonly isRunning: boolean
  /** Starts a program, replacing the one that runs. */
  start(program: Program): void
  /** Resolves when the last application has ended. One that it has replaced may still finish its connections. */
  stop(): Promise<void>
}

/** How long an application may take to close, in ms. */
const CLOSE_TIMEOUT = 5_000

/** How long connections may stay open before the application gets SIGTERM, in ms. Browsers keep connections open without using them. */
const DRAIN_TIMEOUT = 2_000

/** How long to wait for new requests before SIGTERM, in ms. */
const GRACE = 100

export function createApplication(events: ApplicationEvents): Application {
  /** The application that serves, and one that starts while that keeps serving. */
  let current: Running | undefined
  let next: Running | undefined
  let pending: Program | undefined
  let replacing: Promise<void> | undefined

  return {
    get isRunning() {
      return current !== undefined || next !== undefined
    },
    start(program) {
      pending = program
      replacing ??= replace().finally(() => (replacing = undefined))
    },
    async stop() {
      pending = undefined
      await replacing
      await Promise.all([current?.end(), next?.end()])
    },
  }

  async function replace(): Promise<void> {
    while (pending !== undefined) {
      await next?.end()
      next = undefined
      const overlaps = canOverlap(pending) && current?.isListening === true
      if (!overlaps) await current?.end()
      // It may have been replaced or cleared meanwhile.
      const program = pending
      if (program === undefined) return
      pending = undefined
      const started = run(program)
      if (overlaps) next = started
      else current = started
    }
  }

  /** Resolves when the old application gets no more connections. */
  async function takeOver(running: Running): Promise<void> {
    if (next !== running) return
    const before = current
    current = running
    next = undefined
    void before?.end()
    await before?.released
  }

  function run(program: Program): Running {
    let taken: TakenPort | undefined
    const onTaken = (port: TakenPort): void => void (taken ??= port)
    const running = createRunning(launch(program, { onTaken, onListening }))
    function onListening(url: string, port: number | undefined): void {
      if (running.isEnding) return
      if (running.isListening) return events.onListening(url, port, true)
      running.isListening = true
      void takeOver(running).then(() => events.onListening(url, port, false))
    }
    void running.ended.then((how) => {
      const isServed = next === running && current !== undefined
      if (next === running) next = undefined
      if (current === running) current = undefined
      if (!running.isEnding) events.onEnd(how, isServed, taken)
    })
    return running
  }
}

interface Running {
  isListening: boolean
  readonly isEnding: boolean
  /** Resolves with the exit code, signal or error. */
  readonly ended: Promise<string>
  /** Set while the process is ending. Resolves when it gets no more connections. */
  readonly released: Promise<unknown> | undefined
  /** Lets open requests finish. Resolves when the process is gone. */
  end(): Promise<void> | undefined
}

function createRunning({ process: child, release }: Run): Running {
  // A command is the leader of its own process group, a worker isn't.
  const isGroup = child.channel == null && process.platform !== 'win32'
  let isEnding = false
  let released: Promise<unknown> | undefined
  let gone: Promise<void> | undefined
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`),
    )
  })
  return {
    isListening: false,
    get isEnding() {
      return isEnding
    },
    ended,
    get released() {
      return released
    },
    end() {
      if (!isEnding) {
        isEnding = true
        const timer = setTimeout(kill, CLOSE_TIMEOUT, 'SIGKILL')
        const { done, drained } = release()
        released = Promise.race([done, ended])
        gone = untilGone(drained).finally(() => clearTimeout(timer))
      }
      return gone
    },
  }

  async function untilGone(drained: Promise<unknown>): Promise<void> {
    await Promise.race([drained, ended, sleep(DRAIN_TIMEOUT, undefined, { ref: false })])
    // A client that has just connected is about to send a request.
    await Promise.race([sleep(GRACE), ended])
    kill('SIGTERM')
    await ended
    // Programs started by a shell may outlive it.
    while (isGroup && kill(0)) await sleep(10)
  }

  /** Returns false if the process no longer exists. */
  function kill(signal: NodeJS.Signals | 0): boolean {
    if (child.pid === undefined) return false
    try {
      return process.kill(isGroup ? -child.pid : child.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      return false
    }
  }
}
