/** Streams that fail, each at another moment. */
import { EventEmitter } from 'node:events'
import { PassThrough, Readable, Transform } from 'node:stream'
import { type End, failure, needing, throwing } from './ends.ts'

const later = (run: () => void): void => void setImmediate(run)

/** A stream that calls this function when it is read. */
function whenRead(read: (stream: Readable) => void): Readable {
  return new Readable({
    read() {
      read(this)
    },
  })
}

/** A stream that emits a chunk, and then calls this function. */
function afterChunk(then: (stream: Readable) => void): Readable {
  let isFirst = true
  return whenRead((stream) => {
    if (!isFirst) return then(stream)
    isFirst = false
    stream.push('chunk')
  })
}

/** A stream of values that come one by one, perhaps followed by an error. */
function generated(values: readonly unknown[], fails: boolean): Readable {
  async function* generate() {
    for (const value of values) {
      yield value
      await Promise.resolve()
    }
    if (fails) throw failure()
  }
  return Readable.from(generate())
}

/** Objects that count as streams because they can be piped. */
function pipeable(pipe: (target: NodeJS.WritableStream) => unknown): object {
  return Object.assign(new EventEmitter(), { pipe })
}

const streams: Record<string, () => unknown> = {
  failsAtOnce: () => whenRead((stream) => stream.destroy(failure())),
  failsLater: () => whenRead((stream) => later(() => stream.destroy(failure()))),
  failsAfterChunk: () => afterChunk((stream) => stream.destroy(failure())),
  failsLaterAfterChunk: () => afterChunk((stream) => later(() => stream.destroy(failure()))),
  emitsError: () => whenRead((stream) => later(() => stream.emit('error', failure()))),
  emitsErrorTwice: () =>
    whenRead((stream) =>
      later(() => {
        stream.emit('error', failure())
        stream.emit('error', failure())
      }),
    ),
  failsUnread: () => {
    const stream = new PassThrough()
    later(() => stream.destroy(failure()))
    return stream
  },
  emitsErrorUnread: () => {
    const stream = new PassThrough()
    later(() => stream.emit('error', failure()))
    return stream
  },
  readThrows: () => whenRead(throwing),
  readThrowsAfterChunk: () => afterChunk(throwing),
  destroyedBefore: () => new PassThrough().destroy(),
  destroyedWithErrorBefore: () => {
    const stream = new PassThrough()
    stream.on('error', () => {})
    return stream.destroy(failure())
  },
  destroyedQuietly: () => whenRead((stream) => later(() => stream.destroy())),
  destroyedQuietlyAfterChunk: () => afterChunk((stream) => later(() => stream.destroy())),
  generatorThrows: () => generated(['chunk'], true),
  generatorThrowsAtOnce: () => generated([], true),
  givesNumbers: () => Readable.from([1, 2]),
  givesObjects: () => Readable.from([{ a: 1 }, { b: 2 }]),
  givesObjectsLater: () => generated(['chunk', { a: 1 }], false),
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
      destroy: throwing,
    }),
  pipeThrows: () => pipeable(throwing),
  noStream: () => pipeable((target) => target.end('piped')),
  noEmitter: () => ({ pipe: (target: NodeJS.WritableStream) => target.end('piped') }),
  ended: () => {
    const stream = Readable.from([])
    stream.resume()
    return stream
  },
}

export const streamEnds: ReadonlyMap<string, End> = new Map(needing([], streams))
