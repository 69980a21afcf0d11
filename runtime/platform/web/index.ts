/** The platform interface without Node's modules, for pages, service workers and some edge platforms. */
import { sha256 } from '@noble/hashes/sha2.js'
import * as Events from 'events/events.js'
import { format as formatText } from 'node-inspect-extracted'
import * as Stream from 'readable-stream/lib/ours/browser.js'
import type * as Node from '../node.ts'
import { createTicks, type NextTick } from '../ticks.ts'
import type * as Web from './index.ts'

/** @throws Error with the code of importing an unknown module in Node */
export const nodeModule = ((name: string): never => {
  throw Object.assign(new Error(`No such built-in module: ${name}`), {
    code: 'ERR_UNKNOWN_BUILTIN_MODULE',
  })
}) as typeof Node.nodeModule

export const mayBeNode: typeof Node.mayBeNode = false

export const fileExists: typeof Node.fileExists = () => false

/** False, although pages show uncaught errors: code that waits for a result isn't notified of them. */
export const reportsUncaughtErrors: typeof Node.reportsUncaughtErrors = false

export const nextTick: NextTick = createTicks()

export const streams: typeof Node.streams = () => Stream

export const events: typeof Node.events = () => Events

export const format: typeof Node.format = formatText

const encoder = new TextEncoder()

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? encoder.encode(content) : content
}

export const createSha256: typeof Node.createSha256 = () => (content) => {
  const base64 = btoa(String.fromCharCode(...sha256(toBytes(content))))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Runs functions as they are, because web platforms have no async contexts. */
export const createAsyncResource: typeof Node.createAsyncResource = () => withoutContext

const withoutContext: ReturnType<typeof Node.createAsyncResource> = {
  runInAsyncScope: (run, receiver, ...args) => run.apply(receiver as never, args),
  emitDestroy: () => undefined as never,
}

export const createAssertionError: typeof Node.createAssertionError = (message) =>
  Object.assign(new Error(message), {
    name: 'AssertionError',
    code: 'ERR_ASSERTION',
    generatedMessage: false,
    actual: false,
    expected: true,
    operator: '==',
  })

export const requiredModules: typeof Node.requiredModules = () => ({})

/** Does nothing, because nothing can subscribe. */
export const publish = (): void => undefined

export const tracingChannel: typeof Node.tracingChannel = () => undefined

/** Causes a type error if an export of `node.ts` is missing here. */
export type Complete = Platform<typeof Web>
type Platform<Exports extends typeof Node> = Exports
