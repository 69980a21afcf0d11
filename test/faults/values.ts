/** Values that cannot be sent, or are hard to send. */
import { type End, needing, throwing } from './ends.ts'

function cyclic(): object {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}

/** Nests a value more deeply than any call stack can be. */
function nest(value: object, wrap: (inner: object) => object): object {
  for (let i = 0; i < 200_000; i++) value = wrap(value)
  return value
}

function deepChain(): Error {
  let error = new Error('deep')
  // Fewer, because each has a stack to be written.
  for (let i = 0; i < 20_000; i++) error = new Error('deep', { cause: error })
  return error
}

const endless: () => object = () => ({ toJSON: endless, value: { toJSON: endless } })
const nested: () => object = () => ({ toJSON: () => ({ next: nested() }) })

const values: Record<string, () => unknown> = {
  cyclic,
  cyclicList: () => {
    const list: unknown[] = []
    list.push(list)
    return list
  },
  deep: () => nest({}, (value) => ({ value })),
  deepList: () => nest([], (value) => [value]),
  deepChain,
  cyclicCause: () => {
    const error = new Error('cyclic')
    error.cause = error
    return error
  },
  cyclicError: () => Object.assign(new Error('cyclic'), cyclic()),
  bigint: () => ({ value: 1n }),
  symbol: () => Symbol('value'),
  function: () => throwing,
  toJSONThrows: () => ({ toJSON: throwing }),
  toJSONRecurses: nested,
  toJSONGivesItself: endless,
  getterThrows: () => Object.defineProperty({}, 'value', { enumerable: true, get: throwing }),
  // oxlint-disable-next-line unicorn/no-thenable
  thenThrows: () => Object.defineProperty({}, 'then', { get: throwing }),
  pipeThrows: () => Object.defineProperty({}, 'pipe', { get: throwing }),
  bufferThrows: () => Object.defineProperty({}, 'buffer', { get: throwing }),
  proxyThrows: () =>
    new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing }),
  invalidDate: () => new Date(Number.NaN),
  number: () => 5,
  detached: () => {
    const bytes = new Uint8Array(8)
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
    return bytes
  },
}

export const valueEnds: ReadonlyMap<string, End> = new Map(needing([], values))
