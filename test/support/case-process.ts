/** Runs cases one after the other in another process. If a case ends or hangs the process, the next case starts a new one. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ProcessOptions {
  /** The program sends a message when it is ready, then some for each task, and `null` when it is done. */
  readonly file: URL
  readonly args: readonly string[]
  readonly execArgv?: readonly string[]
  /** Milliseconds after which a process counts as hung. */
  readonly patience: number
}

export class CaseProcess<Task extends number | object, Seen> {
  readonly #options: ProcessOptions
  #child: ChildProcess | undefined

  constructor(options: ProcessOptions) {
    this.#options = options
  }

  /** Returns the messages. `died` is set if the process ended: to its standard error, or to `hangs` after the timeout. */
  async run(task: Task): Promise<{ readonly seen: Seen[]; readonly died?: string }> {
    const child = (this.#child ??= await start(this.#options))
    const seen: Seen[] = []
    let errors = ''
    const onError = (chunk: Buffer): void => void (errors += chunk.toString())
    const died = await new Promise<string | undefined>((resolve) => {
      const timeout = setTimeout(() => child.kill('SIGKILL'), this.#options.patience)
      const onMessage = (message: Seen | null): void => {
        if (message === null) settle(undefined)
        else seen.push(message)
      }
      const onClose = (_code: unknown, signal: unknown): void =>
        settle(signal === 'SIGKILL' ? 'hangs' : errors)
      const settle = (end: string | undefined): void => {
        clearTimeout(timeout)
        child.off('message', onMessage).off('close', onClose)
        child.stderr?.off('data', onError)
        resolve(end)
      }
      child.on('message', onMessage).on('close', onClose)
      child.stderr?.on('data', onError)
      child.send(task)
    })
    if (died === undefined) return { seen }
    this.#child = undefined
    return { seen, died }
  }

  stop(): void {
    this.#child?.kill()
    this.#child = undefined
  }
}

async function start({ file, args, execArgv = [] }: ProcessOptions): Promise<ChildProcess> {
  const child = fork(fileURLToPath(file), args, {
    execArgv: [...execArgv],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  await once(child, 'message')
  return child
}
