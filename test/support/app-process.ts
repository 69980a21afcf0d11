/** Runs in the process of an application: answers the messages of its parent, which are requests of an engine (`engines.ts`). */
import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** A request of the parent. */
export type HostRequest =
  | { readonly id: number; readonly kind: 'inject'; readonly options: InjectOptions }
  | { readonly id: number; readonly kind: 'journal' }
  | { readonly id: number; readonly kind: 'close' }

/** A message to the parent: `listening` once, then one answer for each request. */
export type HostMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }

export interface InjectOptions {
  readonly method: string
  readonly url: string
  readonly headers: object
  /** Latin-1. */
  readonly payload?: string | undefined
}

/** One line of an application's journal, if it keeps one. */
export interface JournalEntry {
  readonly request: string
  readonly event: string
  readonly part: string
  readonly detail?: unknown
}

export interface HostedInstance {
  listen(options: object): Promise<string>
  inject(options: object): Promise<{
    statusCode: number
    statusMessage: string
    headers: object
    rawPayload: Buffer
  }>
  close(): Promise<void>
  server: Server
  journal?: JournalEntry[]
}

const send = (message: HostMessage): void => void process.send?.(message)

/** Sends the parent the port of the application, and handles its requests. */
export function serveParent(
  instance: HostedInstance,
  address: ReturnType<Server['address']> = instance.server.address(),
): void {
  process.on('message', (request: HostRequest) => {
    answer(instance, request).then(
      (value) => send({ kind: 'answer', id: request.id, value }),
      (error: unknown) => reportFailure(error),
    )
  })
  send({ kind: 'listening', port: typeof address === 'object' ? (address?.port ?? 0) : 0 })
}

export function reportFailure(error: unknown): void {
  send({ kind: 'failed', error: describe(error) })
}

async function answer(instance: HostedInstance, request: HostRequest): Promise<unknown> {
  switch (request.kind) {
    case 'inject': {
      const { payload, ...options } = request.options
      const { statusCode, statusMessage, headers, rawPayload } = await instance.inject(
        payload === undefined
          ? options
          : { ...options, payload: payload && Buffer.from(payload, 'latin1') },
      )
      return { statusCode, statusMessage, headers, body: rawPayload.toString('latin1') }
    }
    case 'journal':
      return settled(instance.journal ?? [])
    case 'close':
      await instance.close()
      return instance.journal ?? []
  }
}

/** Returns the journal when it stops growing: some hooks run after the client has its answer. */
async function settled(journal: readonly JournalEntry[]): Promise<readonly JournalEntry[]> {
  for (let length = -1; length !== journal.length;) {
    length = journal.length
    await pause(50)
  }
  return journal
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  return {
    message: error.message,
    code: 'code' in error ? error.code : undefined,
    stack: error.stack,
  }
}
