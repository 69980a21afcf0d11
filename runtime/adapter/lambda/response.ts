import type { Writable } from 'node:stream'
import { streams } from '../../platform/index.ts'
import { FRAMING, type HeaderRecord } from '../hosted/headers.ts'
import { HostedResponse } from '../hosted/response.ts'
import { type Chunk, collectBody, type StreamedBody } from '../hosted/streamed-body.ts'
import type { EventFormat } from './event.ts'
import type { LambdaRequest } from './request.ts'

/** Answers with the return value of the handler. */
export class LambdaResponse extends HostedResponse<LambdaAnswer> {
  declare readonly req: LambdaRequest

  protected override deliver(headers: HeaderRecord, body: Chunk | null): void {
    this.resolve({ ...toLambdaHead(this, headers, this.req.format), ...toLambdaBody(body) })
  }

  protected override deliverStream(headers: HeaderRecord): StreamedBody {
    // The head is final when the stream starts.
    const head = toLambdaHead(this, headers, this.req.format)
    return collectBody((body) => this.resolve({ ...head, ...toLambdaBody(body) }), this.reject)
  }
}

/** Lambda's global for handlers that stream. */
export interface LambdaGlobal {
  streamifyResponse(
    handler: (event: never, stream: Writable, context: never) => Promise<void>,
  ): (event: never, context: never) => Promise<unknown>
  readonly HttpResponseStream: { from(stream: Writable, head: LambdaHead): Writable }
}

/** Answers chunk by chunk to Lambda's stream. */
export class StreamingLambdaResponse extends HostedResponse<void> {
  declare readonly req: LambdaRequest
  private readonly openStream: (head: LambdaHead) => Writable

  constructor(
    request: LambdaRequest,
    openStream: (head: LambdaHead) => Writable,
    resolve: () => void,
    reject: (error: Error) => void,
  ) {
    super(request, resolve, reject)
    this.openStream = openStream
  }

  protected override deliver(headers: HeaderRecord, body: Chunk | null): void {
    const stream = this.deliverStream(headers)
    const end = (): void => stream.close(noop)
    if (body === null || body.length === 0) end()
    else stream.write(Buffer.from(body as Uint8Array), (error) => error || end())
  }

  protected override deliverStream(headers: HeaderRecord): StreamedBody {
    const body = this.openStream(toLambdaHead(this, headers, this.req.format))
    // Unlike the event `error`, this also reports a stream that was destroyed before.
    streams().finished(body, { readable: false }, (error) => {
      if (!error) return
      this.reject(error)
      this.destroy()
    })
    let isWritten = false
    return {
      write(chunk, done) {
        isWritten = true
        body.write(chunk, done)
      },
      close: (done) => {
        // The head is only sent with the first chunk, which may be empty.
        if (!isWritten) body.write('')
        body.end((error?: Error | null) => {
          done(error)
          if (!error) this.resolve()
        })
      },
      fail: this.reject,
    }
  }
}

function noop(): void {}

/** Status and headers in the format of an event. */
export interface LambdaHead {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
  readonly cookies?: readonly string[]
  /** Status with reason phrase, which load balancers require. */
  readonly statusDescription?: string
}

/** The return value of a Lambda handler. */
export interface LambdaAnswer extends LambdaHead {
  readonly body: string
  readonly isBase64Encoded: boolean
}

type Entries = readonly (readonly [name: string, values: readonly string[]])[]

const headIn: Readonly<Record<EventFormat, (entries: Entries) => Omit<LambdaHead, 'statusCode'>>> =
  {
    rest: (entries) => ({
      headers: joined(entries.filter(([, values]) => values.length === 1)),
      multiValueHeaders: Object.fromEntries(entries.filter(([, values]) => values.length !== 1)),
    }),
    http: (entries) => ({
      headers: joined(entries.filter(([name]) => name !== 'set-cookie')),
      cookies: entries.find(([name]) => name === 'set-cookie')?.[1] ?? [],
    }),
    balancer: (entries) => ({ headers: { ...joined(entries), ...cookiesByCase(entries) } }),
    'balancer-multiple': (entries) => ({ multiValueHeaders: Object.fromEntries(entries) }),
  }

function toLambdaHead(
  { statusCode, statusMessage }: { statusCode: number; statusMessage: string | undefined },
  headers: HeaderRecord,
  format: EventFormat,
): LambdaHead {
  const entries = Object.entries(headers)
    .filter(([name]) => !FRAMING.has(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value : [String(value)]] as const)
  return {
    statusCode,
    ...(format.startsWith('balancer') && { statusDescription: `${statusCode} ${statusMessage}` }),
    ...headIn[format](entries),
  }
}

function joined(entries: Entries): Record<string, string> {
  return Object.fromEntries(entries.map(([name, values]) => [name, values.join(', ')]))
}

/** Gives each cookie its own spelling of `set-cookie`: cookies can't be joined, and load balancers distinguish upper and lower case. */
function cookiesByCase(entries: Entries): Record<string, string> {
  const cookies = entries.find(([name]) => name === 'set-cookie')?.[1] ?? []
  return Object.fromEntries(cookies.map((cookie, index) => [inCase('set-cookie', index), cookie]))
}

/** Writes letters in upper case where the index has a one in binary: 1 gives `Set-cookie`, 2 `sEt-cookie`, 3 `SEt-cookie`. */
function inCase(name: string, index: number): string {
  let rest = index
  return name.replace(/[a-z]/g, (letter) => {
    const isUpper = rest % 2 === 1
    rest = Math.floor(rest / 2)
    return isUpper ? letter.toUpperCase() : letter
  })
}

/** Encodes the body: as text if it is valid UTF-8, which needs no configuration of the gateway, otherwise in base64. */
function toLambdaBody(body: Chunk | null): Pick<LambdaAnswer, 'body' | 'isBase64Encoded'> {
  if (body === null) return { body: '', isBase64Encoded: false }
  // A string may contain lone surrogates, which UTF-8 can't encode.
  const bytes = Buffer.from(body as Uint8Array)
  const isText = process.getBuiltinModule('node:buffer').isUtf8(bytes)
  return { body: bytes.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText }
}
