/** A framework that cases are run on, in processes of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Outcome, Task } from './child.ts'

/** Milliseconds after which a process counts as hung. */
const PATIENCE = 20_000

/** The result of a case: the outcome, or how the process ended. */
export type Result = Outcome | { readonly died: string }

/** Runs one case after the other; one that ends its process costs a new one. */
export class Engine {
  readonly #name: string
  readonly #more: readonly string[]
  #child: ChildProcess | undefined

  constructor(name: string, more: readonly string[] = []) {
    this.#name = name
    this.#more = more
  }

  /** @param patience milliseconds that an answer may take */
  async run(index: number, patience: number): Promise<Result> {
    const child = (this.#child ??= await this.#start())
    let errors = ''
    const onError = (chunk: Buffer): void => void (errors += chunk.toString())
    child.stderr?.on('data', onError)
    const result = await new Promise<Result>((resolve) => {
      const late = setTimeout(() => {
        errors = 'Error: hangs'
        child.kill('SIGKILL')
      }, PATIENCE)
      const onMessage = (outcome: Outcome): void => {
        clearTimeout(late)
        child.off('close', onClose)
        resolve(outcome)
      }
      const onClose = (): void => {
        clearTimeout(late)
        this.#child = undefined
        child.off('message', onMessage)
        resolve({ died: errors })
      }
      child.once('message', onMessage).once('close', onClose)
      child.send({ index, patience } satisfies Task)
    })
    child.stderr?.off('data', onError)
    return result
  }

  stop(): void {
    this.#child?.disconnect()
    this.#child?.kill()
    this.#child = undefined
  }

  async #start(): Promise<ChildProcess> {
    const file = fileURLToPath(new URL('child.js', import.meta.url))
    const child = fork(file, [this.#name], {
      execArgv: [...this.#more],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    await once(child, 'message')
    return child
  }
}
