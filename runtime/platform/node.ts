/**
 * The platform interface for Node and other platforms with Node's modules.
 *
 * Modules are loaded on first use instead of being imported: most are never needed, and an import takes twice as long.
 */
import type * as AsyncHooks from 'node:async_hooks'
import type * as Events from 'node:events'
import type * as Fs from 'node:fs'
import type * as Stream from 'node:stream'
import { createTicks, type NextTick } from './ticks.ts'

/** Returns a module of Node. */
export const nodeModule: typeof process.getBuiltinModule = (id: string) =>
  process.getBuiltinModule(id)

/** False in builds for platforms where no artifact is preloaded and no server is Node's own. */
export const mayBeNode: boolean = true

/** Returns whether a file exists. Always false without a file system. */
export function fileExists(path: string): boolean {
  const { existsSync } = (nodeModule('node:fs') ?? {}) as Partial<typeof Fs>
  return existsSync?.(path) === true
}

/** True if uncaught errors of ticks are reported: in Node they end the process, in workerd they are lost. */
export const reportsUncaughtErrors: boolean = hasTicks()

export const nextTick: NextTick = reportsUncaughtErrors ? process.nextTick : createTicks()

/** In workerd, `nextTick` is only a microtask. workerd is recognized by `WebSocketPair`, because `navigator` would load a module in Node. */
function hasTicks(): boolean {
  const { process } = globalThis as { process?: { nextTick?: unknown } }
  return process?.nextTick !== undefined && !('WebSocketPair' in globalThis)
}

/** The members of `node:stream` that the runtime uses. */
export function streams(): Pick<
  typeof Stream,
  'Duplex' | 'finished' | 'pipeline' | 'Readable' | 'Transform' | 'Writable'
> {
  return process.getBuiltinModule('node:stream')
}

export function events(): Pick<typeof Events, 'EventEmitter'> {
  return process.getBuiltinModule('node:events')
}

/** Replaces each `%s` by an argument. */
export function format(text: string, ...args: readonly unknown[]): string {
  return process.getBuiltinModule('node:util').format(text, ...args)
}

/** Creates the function that returns the SHA-256 of bytes, or of text in UTF-8, in base64url. */
export function createSha256(): (content: string | Uint8Array) => string {
  const { hash } = process.getBuiltinModule('node:crypto')
  return (content) => hash('sha256', content, 'base64url')
}

let asyncHooks: typeof AsyncHooks | undefined

/** Captures the async context, so that callbacks can run in it. */
export function createAsyncResource(
  name: string,
): Pick<AsyncHooks.AsyncResource, 'runInAsyncScope' | 'emitDestroy'> {
  asyncHooks ??= process.getBuiltinModule('node:async_hooks')
  return new asyncHooks.AsyncResource(name)
}

/** Creates the error of `node:assert`. */
export function createAssertionError(message: string): Error {
  const { AssertionError } = process.getBuiltinModule('node:assert')
  return new AssertionError({ message, actual: false, expected: true, operator: '==' })
}

/** Returns the cache of `require`. */
export function requiredModules(): NodeJS.Require['cache'] {
  return process.getBuiltinModule('node:module').createRequire('file:///').cache
}

/** Publishes a message on a diagnostics channel. */
export function publish(name: string, message: unknown): void {
  const channel = process.getBuiltinModule('node:diagnostics_channel').channel(name) as AnyChannel
  const { hasSubscribers } = channel
  if (!(typeof hasSubscribers === 'function' ? hasSubscribers.call(channel) : hasSubscribers))
    return
  try {
    channel.publish(message)
  } catch (error) {
    // Older releases of workerd don't allow this while a Worker starts.
    const { navigator } = globalThis as { navigator?: { userAgent?: string } }
    if (navigator?.userAgent !== 'Cloudflare-Workers') throw error
  }
}

/** Opens a tracing channel. The web's implementation returns `undefined`, because nothing can subscribe there. */
export function tracingChannel(name: string): object | undefined {
  return process.getBuiltinModule('node:diagnostics_channel').tracingChannel(name)
}

interface AnyChannel {
  /** A method in Workers with older compatibility dates. */
  readonly hasSubscribers: boolean | ((this: AnyChannel) => boolean)
  publish(message: unknown): void
}
