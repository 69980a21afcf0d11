/**
 * The platform is Node, or has Node's modules.
 *
 * They are taken when they are needed and without an import: for most of them that is never, and an import of one costs a
 * cold start twice what this does.
 */
import type * as AsyncHooks from 'node:async_hooks'
import type * as Events from 'node:events'
import type * as Fs from 'node:fs'
import type * as Stream from 'node:stream'
import { createTicks, type NextTick } from './ticks.ts'

/** A module that only Node has. */
export const nodeModule: typeof process.getBuiltinModule = (id: string) =>
  process.getBuiltinModule(id)

/** Whether a file is there; never where there are no files. */
export function fileExists(path: string): boolean {
  const { existsSync } = (nodeModule('node:fs') ?? {}) as Partial<typeof Fs>
  return existsSync?.(path) === true
}

/** Whether what nobody catches in a tick is heard: on Node it ends the process, in workerd nothing tells of it. */
export const reportsUncaughtErrors: boolean = hasTicks()

export const nextTick: NextTick = reportsUncaughtErrors ? process.nextTick : createTicks()

/** In workerd, which alone has pairs of sockets, it is no more than a microtask. Reading `navigator` would load a module of Node's. */
function hasTicks(): boolean {
  const { process } = globalThis as { process?: { nextTick?: unknown } }
  return process?.nextTick !== undefined && !('WebSocketPair' in globalThis)
}

/** Node's streams, as of Node 18. */
export function streams(): Pick<
  typeof Stream,
  'finished' | 'pipeline' | 'Readable' | 'Transform' | 'Writable'
> {
  return process.getBuiltinModule('node:stream')
}

export function events(): Pick<typeof Events, 'EventEmitter'> {
  return process.getBuiltinModule('node:events')
}

/** Puts arguments in the place of each `%s`. */
export function format(text: string, ...args: readonly unknown[]): string {
  return process.getBuiltinModule('node:util').format(text, ...args)
}

/** Makes the function that gives the SHA-256 of bytes, or of text as UTF-8, in base64url. */
export function createSha256(): (content: string | Uint8Array) => string {
  const { hash } = process.getBuiltinModule('node:crypto')
  return (content) => hash('sha256', content, 'base64url' as 'base64')
}

/** Makes the function that gives the CRC-32 of bytes, or of text as UTF-8; `before` is that of what stands before them. */
export function createCrc32(): (content: string | Uint8Array, before?: number) => number {
  return process.getBuiltinModule('node:zlib').crc32
}

let asyncHooks: typeof AsyncHooks | undefined

/** Remembers the async context, so that what others call back runs in it. */
export function createAsyncResource(
  name: string,
): Pick<AsyncHooks.AsyncResource, 'runInAsyncScope'> {
  asyncHooks ??= process.getBuiltinModule('node:async_hooks')
  return new asyncHooks.AsyncResource(name)
}

/** What `assert` throws. */
export function createAssertionError(message: string): Error {
  const { AssertionError } = process.getBuiltinModule('node:assert')
  return new AssertionError({ message, actual: false, expected: true, operator: '==' })
}

/** What `require` has loaded, by files. */
export function requiredModules(): NodeJS.Require['cache'] {
  return process.getBuiltinModule('node:module').createRequire('file:///').cache
}

/** Tells those who have subscribed to a channel of it. */
export function publish(name: string, message: unknown): void {
  const channel = process.getBuiltinModule('node:diagnostics_channel').channel(name) as AnyChannel
  const { hasSubscribers } = channel
  if (!(typeof hasSubscribers === 'function' ? hasSubscribers.call(channel) : hasSubscribers))
    return
  try {
    channel.publish(message)
  } catch (error) {
    // Older workerds let nobody publish while a Worker starts.
    const { navigator } = globalThis as { navigator?: { userAgent?: string } }
    if (navigator?.userAgent !== 'Cloudflare-Workers') throw error
  }
}

interface AnyChannel {
  /** A method in Workers with a compatibility date of before the summer of 2026. */
  readonly hasSubscribers: boolean | ((this: AnyChannel) => boolean)
  publish(message: unknown): void
}
