/** Streams that fail, each at another moment. */
import { EventEmitter } from 'node:events'
import { PassThrough, Readable, Transform } from 'node:stream'
import { type End, failure } from './ends.ts'

const later = (run: () => void): void => void setImmediate(run)

/** A stream that gives a chunk, and then does this. */
function afterChunk(then: (stream: Readable) => void): Readable {
  let isFirst = true
  return new Readable({
    read() {
      if (isFirst) {
        isFirst = false
        this.push('chunk')
      } else {
        then(this)
      }
    },
  })
}

/** Objects that pass for streams because they can be piped. */
function pipeable(pipe: (target: NodeJS.WritableStream) => unknown): object {
  return Object.assign(new EventEmitter(), { pipe })
}

const streams: Record<string, () => unknown> = {
  failsAtOnce: () =>
    new Readable({
      read() {
        this.destroy(failure())
      },
    }),
  failsLater: () =>
    new Readable({
      read() {
        later(() => this.destroy(failure()))
      },
    }),
  failsAfterChunk: () => afterChunk((stream) => stream.destroy(failure())),
  failsLaterAfterChunk: () => afterChunk((stream) => later(() => stream.destroy(failure()))),
  emitsError: () =>
    new Readable({
      read() {
        later(() => this.emit('error', failure()))
      },
    }),
  emitsErrorTwice: () =>
    new Readable({
      read() {
        later(() => {
          this.emit('error', failure())
          this.emit('error', failure())
        })
      },
    }),
  readThrows: () =>
    new Readable({
      read() {
        throw failure()
      },
    }),
  readThrowsAfterChunk: () =>
    afterChunk(() => {
      throw failure()
    }),
  destroyedBefore: () => new PassThrough().destroy(),
  destroyedWithErrorBefore: () => {
    const stream = new PassThrough()
    stream.on('error', () => {})
    return stream.destroy(failure())
  },
  destroyedQuietly: () =>
    new Readable({
      read() {
        later(() => this.destroy())
      },
    }),
  destroyedQuietlyAfterChunk: () => afterChunk((stream) => later(() => stream.destroy())),
  generatorThrows: () =>
    Readable.from(
      (async function* generate() {
        yield 'chunk'
        await Promise.resolve()
        throw failure()
      })(),
    ),
  generatorThrowsAtOnce: () =>
    Readable.from(
      // oxlint-disable-next-line require-yield
      (async function* generate() {
        await Promise.resolve()
        throw failure()
      })(),
    ),
  givesNumbers: () => Readable.from([1, 2]),
  givesObjects: () => Readable.from([{ a: 1 }, { b: 2 }]),
  givesObjectsLater: () =>
    Readable.from(
      (async function* generate() {
        yield 'chunk'
        await Promise.resolve()
        yield { a: 1 }
      })(),
    ),
  givesSymbols: () => Readable.from([Symbol('chunk')]),
  givesTexts: () => Readable.from(['one', 'two']),
  transformFails: () =>
    Readable.from(['chunk']).pipe(
      new Transform({
        transform(_chunk, _encoding, done) {
          setTimeout(() => done(failure()), 5)
        },
      }),
    ),
  destroyThrows: () =>
    new Readable({
      read() {
        this.destroy(failure())
      },
      destroy() {
        throw failure()
      },
    }),
  pipeThrows: () =>
    pipeable(() => {
      throw failure()
    }),
  noStream: () => pipeable((target) => target.end('piped')),
  noEmitter: () => ({ pipe: (target: NodeJS.WritableStream) => target.end('piped') }),
  ended: () => {
    const stream = Readable.from([])
    stream.resume()
    return stream
  },
}

export const streamEnds: ReadonlyMap<string, End> = new Map(
  Object.entries(streams).map(([name, run]) => [name, { needs: [], run }]),
)
