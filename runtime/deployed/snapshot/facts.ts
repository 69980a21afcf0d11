/** What an application reads of its process while it is built: the snapshot is for processes where that is the same. */
import { building, fault, replace, watch } from './building.ts'

/** A fact, and what it was. */
const facts = new Map<string, string | undefined>()
/** What the application has set. */
const set = new Map<string, string | undefined>()

/** The facts that an application has read, by their names. */
export function factNames(): string[] {
  return [...facts.keys()].sort()
}

/** Says that the place of the deployment was asked for. */
export function noteFolder(folder: string): void {
  facts.set('the folder of the deployment', folder)
}

export function watchProcess(): void {
  watchEnvironment()
  const { cwd } = process
  watch(process, 'cwd', () => void facts.set('the working directory', cwd()))
  for (const name of ['pid', 'ppid'] as const) {
    const value = process[name]
    replace(process, name, {
      get: () => {
        if (building.isOn) fault('process', `process.${name}`)
        return building.isOn ? value : process[name]
      },
      enumerable: true,
    })
  }
}

export function watchHost(os: { hostname(): string }): void {
  const { hostname } = os
  watch(os, 'hostname', () => void facts.set('the name of the host', hostname()))
}

function watchEnvironment(): void {
  const native = process.env
  const note = (name: string | symbol): void => {
    if (building.isOn && typeof name === 'string' && !set.has(name)) {
      facts.set(`the variable ${name}`, native[name])
    }
  }
  let listed = new Set<string | symbol>()
  // Whoever keeps it sees the variables of the process that runs.
  const current = (): NodeJS.ProcessEnv => (building.isOn ? native : process.env)
  const watched = new Proxy(native, {
    get: (_, name) => (note(name), Reflect.get(current(), name) as unknown),
    has: (_, name) => (note(name), Reflect.has(current(), name)),
    getOwnPropertyDescriptor: (_, name) => {
      // Whoever lists names has Node ask for each whether it is to be listed.
      if (!listed.delete(name)) note(name)
      return Reflect.getOwnPropertyDescriptor(current(), name)
    },
    ownKeys: () => {
      if (building.isOn) fault('environment', 'all variables of process.env')
      const names = Reflect.ownKeys(current())
      if (building.isOn) listed = new Set(names)
      return names
    },
    set: (_, name, value: unknown) => {
      if (building.isOn && typeof name === 'string') set.set(name, String(value))
      return Reflect.set(current(), name, value)
    },
    deleteProperty: (_, name) => {
      if (building.isOn && typeof name === 'string') set.set(name, undefined)
      return Reflect.deleteProperty(current(), name)
    },
  })
  replace(process, 'env', { value: watched, writable: true, enumerable: true })
}

/** The facts that are not what they were. */
export function differentFacts(folder: string): string[] {
  return [...facts].flatMap(([name, value]) => (factNow(name, folder) === value ? [] : [name]))
}

function factNow(name: string, folder: string): string | undefined {
  if (name === 'the folder of the deployment') return folder
  if (name === 'the working directory') return process.cwd()
  if (name === 'the name of the host') return process.getBuiltinModule('node:os').hostname()
  return process.env[name.slice('the variable '.length)]
}

/** Does again what the application has done to its environment. */
export function setVariables(): void {
  for (const [name, value] of set) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}
