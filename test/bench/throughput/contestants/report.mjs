import { Readable } from 'node:stream'

const part = Buffer.from('All happy families are alike. '.repeat(100))

/** A stream of eight parts. */
export function createReport() {
  let count = 0
  return new Readable({
    read() {
      this.push(count++ < 8 ? part : null)
    },
  })
}
