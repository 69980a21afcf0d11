/**
 * The handlers of random applications: they answer what the file `given` beside the application says, and note in
 * its journal what they have seen.
 */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { deserialize } from 'node:v8'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JournalEntry } from '../../support/app-process.ts'
import { plainOf } from '../../support/plain-values.ts'
import { asApplicationValue, createRandom } from '../../support/random-values.ts'

/** The action of a handler for one request. */
export interface Given {
  readonly end: 'return' | 'send' | 'text' | 'stream' | 'throw'
  readonly status: number
  readonly value: unknown
  /** Seeds the parts of the value that aren't data. */
  readonly seed: number
  readonly contentType?: string
}

const kept: { given?: readonly Given[] } = {}

export const journal: JournalEntry[] = []

function givenTo(request: FastifyRequest): Given {
  kept.given ??= deserialize(readFileSync('given')) as readonly Given[]
  const place = Number(/^parity-(\d+)$/.exec(String(request.id))?.[1]) - 1
  return kept.given[place] ?? lost
}

/** Everything that a handler can see of a value, including the order of keys and the sign of zero. */
function textOf(value: unknown): string {
  return inspect(plainOf(value), {
    depth: null,
    maxStringLength: 400,
    breakLength: Number.POSITIVE_INFINITY,
  })
}

function note(request: FastifyRequest, event: string, seen: unknown): void {
  const detail = textOf(seen)
  journal.push({
    request: String(request.id),
    event,
    part: String(request.routeOptions?.url ?? ''),
    detail,
  })
}

function seenOf({ body, query, params, headers, validationError }: FastifyRequest): object {
  return {
    body,
    query,
    params,
    headers,
    validationError: validationError && seenOfError(validationError),
  }
}

function seenOfError(error: Error): object {
  const { name, message, stack: _, ...rest } = error
  return { name, message, ...rest }
}

export function give(request: FastifyRequest, reply: FastifyReply): unknown {
  note(request, 'handler', seenOf(request))
  const { end, status, value, seed, contentType } = givenTo(request)
  const live = asApplicationValue(value, createRandom(seed))
  reply.code(status)
  if (contentType !== undefined) reply.type(contentType)
  switch (end) {
    case 'return':
      // A promise of `undefined` means that the answer comes later.
      return live === undefined ? reply.send() : Promise.resolve(live)
    case 'send':
      return void reply.send(live)
    case 'text':
      return void reply.type('text/plain').send(typeof value === 'string' ? value : 'text')
    case 'stream':
      return void reply.send(Readable.from([Buffer.from('a stream')]))
    case 'throw':
      throw Object.assign(new Error(typeof value === 'string' ? value : 'thrown'), {
        statusCode: status,
        code: 'THROWN',
      })
  }
}

const lost: Given = { end: 'send', status: 200, value: 'the id was lost', seed: 0 }

/** An error handler that answers with everything in the error. */
export function fail(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  note(request, 'error', seenOfError(error))
  const { statusCode = 500 } = error
  reply.code(statusCode >= 400 ? statusCode : 500).send({ failed: error.name, a: error.message })
}

export function miss(request: FastifyRequest, reply: FastifyReply): void {
  note(request, 'not found', seenOf(request))
  reply.code(404).send({ missed: request.url, a: 1 })
}
