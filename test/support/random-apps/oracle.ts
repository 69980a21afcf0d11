import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { OracleAnswer, OracleRequest } from './oracle-child.ts'

/** The real Fastify in a process of its own, which boots one application after the other. */
export class Oracle {
  readonly #fastify: string
  #child: ChildProcess | undefined
  #last = 0

  /** @param fastify the package */
  constructor(fastify: string = 'fastify') {
    this.#fastify = fastify
  }

  boot(entry: string, asks: boolean): Promise<OracleAnswer> {
    const child = (this.#child ??= this.#start())
    const id = ++this.#last
    return new Promise((resolve) => {
      // Only for applications that wait for themselves.
      const patience = setTimeout(() => child.kill('SIGKILL'), 60_000)
      const leave = (): void => {
        clearTimeout(patience)
        child.off('message', listen)
        child.off('exit', exited)
      }
      const listen = (answer: OracleAnswer): void => {
        if (answer.id !== id) return
        leave()
        resolve(answer)
      }
      const exited = (): void => {
        leave()
        this.#child = undefined
        resolve({ id, error: 'the process ended' })
      }
      child.on('message', listen)
      child.on('exit', exited)
      child.send({ id, entry, asks } satisfies OracleRequest)
    })
  }

  close(): void {
    this.#child?.removeAllListeners('exit')
    this.#child?.kill()
    this.#child = undefined
  }

  #start(): ChildProcess {
    const file = fileURLToPath(new URL('./oracle-child.js', import.meta.url))
    return fork(file, [], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'test', SCAN_FASTIFY: this.#fastify },
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
  }
}
