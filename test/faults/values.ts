/** Values that cannot be sent, or hardly. */
import type { End } from './ends.ts'

/** More levels than any stack has room for. */
const DEPTH = 200_000

/** The same for errors, each of which has a stack to be written. */
const CAUSES = 20_000

function cyclic(): object {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}

function deep(): object {
  let value: object = {}
  for (let i = 0; i < DEPTH; i++) value = { value }
  return value
}

function deepList(): unknown[] {
  let value: unknown[] = []
  for (let i = 0; i < DEPTH; i++) value = [value]
  return value
}

function deepChain(): Error {
  let error = new Error('deep')
  for (let i = 0; i < CAUSES; i++) error = new Error('deep', { cause: error })
  return error
}

const fail = (): never => {
  throw new Error('fault')
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
  deep,
  deepList,
  deepChain,
  cyclicCause: () => {
    const error = new Error('cyclic')
    error.cause = error
    return error
  },
  cyclicError: () => Object.assign(new Error('cyclic'), cyclic()),
  bigint: () => ({ value: 1n }),
  symbol: () => Symbol('value'),
  function: () => fail,
  toJSONThrows: () => ({ toJSON: fail }),
  toJSONRecurses: nested,
  toJSONGivesItself: endless,
  getterThrows: () => Object.defineProperty({}, 'value', { enumerable: true, get: fail }),
  // oxlint-disable-next-line unicorn/no-thenable
  thenThrows: () => Object.defineProperty({}, 'then', { get: fail }),
  pipeThrows: () => Object.defineProperty({}, 'pipe', { get: fail }),
  bufferThrows: () => Object.defineProperty({}, 'buffer', { get: fail }),
  proxyThrows: () => new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail }),
  invalidDate: () => new Date(Number.NaN),
  number: () => 5,
  detached: () => {
    const bytes = new Uint8Array(8)
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
    return bytes
  },
}

export const valueEnds: ReadonlyMap<string, End> = new Map(
  Object.entries(values).map(([name, run]) => [name, { needs: [], run }]),
)
