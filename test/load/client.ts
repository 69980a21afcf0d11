import { Wire } from '../support/connections.ts'
import { type Answer, headerOf, takeAnswer } from '../support/wire.ts'

/** The connection ended before the first byte of an answer. */
export class NoAnswer extends Error {}

/** How long an answer may take, in milliseconds, on a machine that has other work, too. */
const patience = 30_000

/** A client that writes exact bytes, and reads answers in the order in which they come. */
export class Client extends Wire {
  constructor(port: number) {
    super(port)
    this.socket.setNoDelay().setTimeout(patience, () => this.destroy())
  }

  get isOpen(): boolean {
    return !this.isClosed && !this.socket.destroyed
  }

  /** @throws NoAnswer, or another error when the connection ends within the answer or it takes too long */
  async answer(method = 'GET'): Promise<Answer> {
    for (;;) {
      const found = takeAnswer(this.received, method, this.isClosed)
      if (found !== undefined) {
        this.received = found.rest
        if (headerOf(found.answer, 'connection') === 'close') this.destroy()
        return found.answer
      }
      if (this.isClosed && this.received === '') throw new NoAnswer('the connection ended')
      if (this.isClosed) throw new Error(`the answer ends after ${this.received.slice(0, 200)}`)
      await this.more()
    }
  }
}
