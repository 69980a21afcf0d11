import type * as Stream from 'node:stream'
import { streams } from '../../platform/index.ts'

/** A stream whose constructor runs on first use. Most applications never use the streams of request and response, and creating both takes longer than answering. */
export interface Late {
  /** True once the constructor has run. */
  isAwake: boolean
  /** Runs the constructor, unless it has run. */
  wake(): void
  /** Called when the constructor has run. */
  onWake(): void
}

type LateClass<T> = abstract new () => T & Late

export const LateReadable: LateClass<Stream.Readable> = createLateClass(
  streams().Readable,
  '_readableState',
)

export const LateWritable: LateClass<Stream.Writable> = createLateClass(
  streams().Writable,
  '_writableState',
)

/**
 * Creates a class whose objects inherit from a stream's class.
 *
 * @param state the property that the stream's constructor sets and its methods read
 */
function createLateClass<T>(Class: unknown, state: string): LateClass<T> {
  const Base = Class as { prototype: object; call(receiver: object): void }
  class LateStream implements Late {
    isAwake = false

    wake(): void {
      if (this.isAwake) return
      this.isAwake = true
      Base.call(this)
      this.onWake()
    }

    onWake(): void {}
  }
  const { prototype } = LateStream
  Object.setPrototypeOf(prototype, Base.prototype)
  Object.defineProperty(prototype, state, {
    configurable: true,
    get(this: LateStream & Record<string, unknown>) {
      this.wake()
      return this[state]
    },
    set(this: object, value: unknown) {
      const property = { value, writable: true, enumerable: true, configurable: true }
      Object.defineProperty(this, state, property)
    },
  })
  // Adding a listener reads the state too late or not at all, so these methods have to wake the stream.
  for (const name of ['on', 'addListener', 'prependListener']) {
    const add = Reflect.get(Base.prototype, name) as (...args: unknown[]) => unknown
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: LateStream, ...args: unknown[]) {
        this.wake()
        return add.apply(this, args)
      },
    })
  }
  return LateStream as unknown as LateClass<T>
}
