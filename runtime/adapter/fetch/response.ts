import { kOutgoing, type Outgoing } from '../../serve/exchange.ts'
import { FRAMING, type HeaderRecord } from '../hosted/headers.ts'
import { HostedResponse } from '../hosted/response.ts'
import type { Chunk, Done, StreamedBody } from '../hosted/streamed-body.ts'
import type { FetchRequest } from './request.ts'
import { waitUntil } from './wait-until.ts'

type FetchHeaders = NonNullable<ResponseInit['headers']>
type Body = ConstructorParameters<typeof Response>[0]

/** Deno prints each error that a body fails with. If the client has left, Deno cancels the body itself, so nothing needs to fail it. */
const printsErrors = 'Deno' in globalThis

/** Answers with a `Response`. */
export class FetchResponse extends HostedResponse<Response> {
  declare readonly req: FetchRequest
  /** A `Response` of the platform that switches protocols. */
  private switching: SwitchingResponse | undefined = undefined

  protected override deliver(given: HeaderRecord, body: Chunk | null): void {
    // `Response` would add a content type to a string.
    const isTyped = given['content-type'] !== undefined
    const content = typeof body === 'string' && !isTyped ? Buffer.from(body) : body
    // Deno, which writes the length itself, takes longer if it is given. That of content that isn't sent would be wrong.
    const omitsLength = content === null ? this.isReset() : this.req.settings.writesLength === true
    this.noteWhole()
    const headers = toFetchHeaders(given, omitsLength)
    this.resolve(
      this.switching === undefined
        ? this.create(headers, content as Body)
        : withHeaders(this.switching, headers),
    )
  }

  protected override deliverStream(headers: HeaderRecord): StreamedBody {
    const body = createStreamedBody(
      headers['content-length'],
      () => void this.destroy(),
      () => this.noteWhole(),
    )
    this.resolve(this.create(toFetchHeaders(headers, false), body.stream as Body))
    if (!printsErrors) return body
    const fail = (error: Error): void => (this.req.isDisconnected ? undefined : body.fail(error))
    return { ...body, fail }
  }

  private noteWhole(): void {
    const { settings, fetchArguments } = this.req
    settings.onWhole?.(...fetchArguments)
  }

  protected override isFinal(): boolean {
    return this.switching !== undefined || super.isFinal()
  }

  protected override hasBody(): boolean {
    return !this.isReset() && super.hasBody()
  }

  /** A `Response` with the status 205 can't have a body. */
  private isReset(): boolean {
    return this.statusCode === 205
  }

  private create(headers: FetchHeaders, body: Body): Response {
    const init: ResponseInit & { encodeBody: 'manual' } = {
      status: this.statusCode,
      statusText: this.statusMessage as string,
      headers,
      // Otherwise workerd would compress the body as `content-encoding` says.
      encodeBody: 'manual',
    }
    return new Response(body, init)
  }

  static {
    const outgoing = Reflect.get(this.prototype, kOutgoing) as Outgoing
    const keep: Outgoing['keep'] = (raw, work) =>
      waitUntil((raw as unknown as FetchResponse).req.fetchArguments, work)
    const switchProtocols: Outgoing['switchProtocols'] = (raw, answer) => {
      const response = raw as unknown as FetchResponse
      response.switching = answer as SwitchingResponse
      // In Deno, whoever has created the answer has taken the request over.
      if (!response.switching.webSocket) response.req.forgetAddress()
    }
    Object.assign(this.prototype, { [kOutgoing]: { ...outgoing, keep, switchProtocols } })
  }
}

interface SwitchingResponse extends Response {
  /** The client's end of the connection in workerd. */
  readonly webSocket?: object | null
}

/** Adds the headers of the reply where the platform takes another `Response` with the connection. */
function withHeaders(response: SwitchingResponse, headers: FetchHeaders): Response {
  const { webSocket, status } = response
  if (!webSocket) return response
  const init = { status, headers, webSocket }
  return new Response(null, init)
}

/** Copies headers, without those of the message's framing, such as `transfer-encoding`. */
function toFetchHeaders(given: HeaderRecord, omitsLength: boolean): FetchHeaders {
  const headers: Record<string, string> = {}
  let lists: [string, string][] | undefined
  for (const name of Object.keys(given)) {
    if (FRAMING.has(name) || (omitsLength && name === 'content-length')) continue
    const value = given[name]
    if (Array.isArray(value))
      (lists ??= []).push(...value.map((one) => [name, String(one)] as [string, string]))
    else headers[name] = String(value)
  }
  return lists === undefined ? headers : [...Object.entries(headers), ...lists]
}

/** A `StreamedBody` as the body of a `Response`. */
interface ResponseBody extends StreamedBody {
  readonly stream: ReadableStream<Uint8Array>
}

/** In workerd, only such a stream is sent with `content-length`. */
const { FixedLengthStream } = globalThis as {
  FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array>
}

/**
 * Bytes that may wait for the client, besides those in the response's own buffer. If each chunk waited until the platform has read the one before, a stream
 * would take twice the CPU time in workerd.
 */
const MAX_QUEUED = 16_384

/**
 * Creates the body of a `Response` that is written chunk by chunk.
 *
 * @param length the value of `content-length`
 * @param onCancel called when the client has disconnected
 * @param onEnd called when everything is written
 */
function createStreamedBody(
  length: unknown,
  onCancel: () => void,
  onEnd: () => void,
): ResponseBody {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let waiting: Done | undefined
  let queued = 0
  const resume = (): void => {
    queued = 0
    const done = waiting
    waiting = undefined
    done?.()
  }
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    pull: resume,
    cancel: onCancel,
  })
  const isFixed = FixedLengthStream !== undefined && /^\d+$/.test(String(length))
  return {
    stream: isFixed ? stream.pipeThrough(new FixedLengthStream(Number(length))) : stream,
    write(chunk, done) {
      controller.enqueue(chunk)
      queued += chunk.byteLength
      // The stream calls `pull` when all chunks were read.
      if (queued < MAX_QUEUED || (controller.desiredSize ?? 0) > 0) done()
      else waiting = done
    },
    close(done) {
      controller.close()
      onEnd()
      done()
    },
    fail: (error) => controller.error(error),
  }
}
