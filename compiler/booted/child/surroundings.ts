/** Notes what a sandboxed application reads of its surroundings, and changes them in a varied boot. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isApplication } from './places.ts'

/** Files and folders that code of the application or of its packages has read, without those of packages. */
export const read: Set<string> = new Set()

/** Environment variables that were read and aren't set, or are empty, as in the example of an environment. */
export const missing: Set<string> = new Set()

export function noteReads(): void {
  for (const owner of [fs, fs.promises]) {
    const members = owner as unknown as Record<string, (...args: unknown[]) => unknown>
    for (const name of Object.keys(members)) {
      const original = members[name]
      if (!READERS.test(name) || original === undefined) continue
      const noting = function (this: unknown, ...args: unknown[]): unknown {
        notePath(args[0])
        return Reflect.apply(original, this, args)
      }
      // `realpath` has a member `native`, and `exists` a promisified form.
      members[name] = Object.defineProperties(noting, Object.getOwnPropertyDescriptors(original))
    }
  }
  const env: NodeJS.ProcessEnv = { ...process.env }
  const noteVariable = (name: string | symbol): void => {
    if (typeof name !== 'string') return
    if (!Object.hasOwn(env, name) || env[name] === '') missing.add(name)
  }
  process.env = new Proxy(env, {
    get(target, name) {
      noteVariable(name)
      return Reflect.get(target, name) as unknown
    },
    has(target, name) {
      noteVariable(name)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor(target, name) {
      noteVariable(name)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    // As in the real environment, values are text.
    set: (target, name, value) => Reflect.set(target, name, String(value)),
  })
  syncBuiltinESMExports()
}

const READERS =
  /^(?:access|createReadStream|exists|lstat|open|opendir|read(?:dir|File|link)|realpath|stat)(?:Sync)?$/

function notePath(path: unknown): void {
  if (typeof path !== 'string' && !(path instanceof URL)) return
  const isUrl = path instanceof URL
  if (isUrl && path.protocol !== 'file:') return
  const file = resolve(isUrl ? fileURLToPath(path) : path)
  if (!file.includes('\0') && isApplication(file)) read.add(file)
}

/** How far a varied boot is in the future, in ms: another day, weekday, month and year, and another time of day. */
const shift = 403.3 * 24 * 3_600_000

/** Gives the process another clock, machine and patch of Node. */
export function vary(): void {
  const RealDate = Date
  const now = (): number => RealDate.now() + shift
  globalThis.Date = new Proxy(RealDate, {
    apply: (target) => new target(now()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
  Object.defineProperty(RealDate.prototype, 'constructor', { value: Date })
  const release = process.version.replace(/\d+$/, (patch) => String(Number(patch) + 1))
  const platform = process.platform === 'linux' ? 'darwin' : 'linux'
  for (const [name, value] of Object.entries({ version: release, platform, pid: process.pid + 1 }))
    Object.defineProperty(process, name, { value, enumerable: true, configurable: true })
  const versions = { ...process.versions, node: release.slice(1) }
  Object.defineProperty(process, 'versions', { value: versions, enumerable: true })
  Object.assign(os, { hostname: () => 'elsewhere', platform: () => platform })
  syncBuiltinESMExports()
}
