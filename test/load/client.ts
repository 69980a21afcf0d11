/** A client that writes exact bytes, and reads answers in the order in which they come. */
import { connect, type Socket } from 'node:net'
import { type Answer, headerOf, takeAnswer } from '../support/wire.ts'

/** The connection ended before the first byte of an answer. */
export class NoAnswer extends Error {}

/** How long an answer may take, in milliseconds, on a machine that has other work, too. */
const patience = 30_000

export class Client {
  readonly #socket: Socket
  #received = ''
  #isEnded = false
  #wake: (() => void) | undefined

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay()
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => {
      this.#received += text
      this.#wake?.()
    })
    // A broken connection shows as an incomplete answer.
    this.#socket.on('error', () => {})
    const end = (): void => {
      this.#isEnded = true
      this.#wake?.()
    }
    this.#socket.on('end', end).on('close', end)
  }

  get isOpen(): boolean {
    return !this.#isEnded && !this.#socket.destroyed
  }

  write(text: string): void {
    this.#socket.write(text, 'latin1')
  }

  /** Stops reading, so that the server has to wait. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** @throws NoAnswer, or another error when the connection ends within the answer or it takes too long */
  async answer(method = 'GET'): Promise<Answer> {
    const deadline = Date.now() + patience
    for (;;) {
      const answer = this.#take(method)
      if (answer !== undefined) {
        if (headerOf(answer, 'connection') === 'close') this.destroy()
        return answer
      }
      if (this.#isEnded && this.#received === '') throw new NoAnswer('the connection ended')
      if (this.#isEnded) throw new Error(`the answer ends after ${shorten(this.#received)}`)
      await this.#more(deadline)
    }
  }

  /** Waits until something has come. */
  async something(): Promise<void> {
    const deadline = Date.now() + patience
    while (this.#received === '' && !this.#isEnded) await this.#more(deadline)
  }

  async #more(deadline: number): Promise<void> {
    const timer = setTimeout(() => this.#wake?.(), Math.max(0, deadline - Date.now()))
    await new Promise<void>((resolve) => (this.#wake = resolve))
    clearTimeout(timer)
    this.#wake = undefined
    if (Date.now() > deadline) throw new Error(`no whole answer, but ${shorten(this.#received)}`)
  }

  /** Takes an answer out of what was received, if it is whole. */
  #take(method: string): Answer | undefined {
    const found = takeAnswer(this.#received, method, this.#isEnded)
    if (found !== undefined) this.#received = found.rest
    return found?.answer
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text)
}
