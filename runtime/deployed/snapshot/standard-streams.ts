import { building, replace } from './building.ts'

/** Has `process.stdin` and its like give what writes to those of the process that runs: an application may keep them. */
export function watchStandardStreams(): void {
  for (const name of ['stdin', 'stdout', 'stderr'] as const) {
    const { get, enumerable } = Object.getOwnPropertyDescriptor(process, name) as {
      get(): object
      enumerable: boolean
    }
    const current = (): object => (building.isOn ? get.call(process) : process[name])
    const stream = new Proxy(
      {},
      {
        get(_, key) {
          const real = current()
          const value = Reflect.get(real, key) as unknown
          return typeof value === 'function' ? (value.bind(real) as unknown) : value
        },
        set: (_, key, value) => Reflect.set(current(), key, value),
        has: (_, key) => Reflect.has(current(), key),
        getPrototypeOf: () => Reflect.getPrototypeOf(current()),
      },
    )
    replace(process, name, { get: () => stream, enumerable })
  }
}
