/** A framework under attack. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { HANGS, ends } from './reproduction.ts'

const PATIENCE = 3000

/** Runs one attack after the other; one that ends or hangs its process costs a new process. */
export class Engine {
  readonly #start: () => Promise<ChildProcess>
  #child: ChildProcess | undefined

  /** @param args the arguments of the child */
  constructor(args: readonly string[], execArgv: readonly string[] = []) {
    this.#start = () => start(args, execArgv)
  }

  /** Runs the reproduction with this number; returns the observation. */
  async attack(index: number): Promise<string[]> {
    const child = (this.#child ??= await this.#start())
    const seen: string[] = []
    let errors = ''
    const survives = await new Promise<boolean>((resolve) => {
      const late = setTimeout(() => {
        seen.push(HANGS)
        child.kill('SIGKILL')
      }, PATIENCE)
      const onMessage = (line: string | null): void => {
        if (line === null) settle(true)
        else seen.push(line)
      }
      const onError = (chunk: Buffer): void => void (errors += chunk.toString())
      const onClose = (_code: unknown, signal: unknown): void => {
        if (signal !== 'SIGKILL') seen.push(ends(errorIn(errors)))
        settle(false)
      }
      const settle = (survived: boolean): void => {
        clearTimeout(late)
        child.off('message', onMessage).off('close', onClose)
        child.stderr?.off('data', onError)
        resolve(survived)
      }
      child.on('message', onMessage).on('close', onClose)
      child.stderr?.on('data', onError)
      child.send(index)
    })
    if (!survives) this.#child = undefined
    return seen
  }

  stop(): void {
    this.#child?.kill()
    this.#child = undefined
  }
}

async function start(args: readonly string[], execArgv: readonly string[]): Promise<ChildProcess> {
  const stdio = ['ignore', 'inherit', 'pipe', 'ipc'] as const
  const file = fileURLToPath(new URL('child.js', import.meta.url))
  const child = fork(file, args, { execArgv: [...execArgv], stdio: [...stdio] })
  await once(child, 'message')
  return child
}

/** The line that Node prints of an uncaught error, or all that was printed. */
function errorIn(output: string): string {
  return /^\w*Error.*$/m.exec(output)?.[0] ?? output
}
