import type * as Http from 'node:http'
import { nodeModule } from '../platform/index.ts'

type Headers = Readonly<Record<string, unknown>>

/** What Node keeps of a response before its head is written. */
export interface HeadState {
  _header: string | null
  _contentLength: number | null
  statusMessage: string
  readonly statusCode: number
  readonly sendDate: boolean
  readonly shouldKeepAlive: boolean
  readonly maxRequestsOnConnectionReached: boolean
  readonly _defaultKeepAlive: boolean
  readonly _removedConnection: boolean
  /** Only of responses, once a request has come. */
  readonly _expect_continue: boolean
  readonly _keepAliveTimeout: number
  readonly _maxRequestsPerSocket?: number | null
  /** Makes the text of the head out of status line and headers. */
  _storeHeader(statusLine: string, headers: object): void
  writeHead(statusCode: number, headers: object): unknown
}

/** The fields of Node's that `isUsual` asks and `write` sets. */
const fields = [
  '_header',
  '_contentLength',
  'sendDate',
  'shouldKeepAlive',
  'maxRequestsOnConnectionReached',
  '_defaultKeepAlive',
  '_removedConnection',
  '_keepAliveTimeout',
] as const

/** Headers that change what else Node writes. */
const special: ReadonlySet<string> = new Set([
  'connection',
  'transfer-encoding',
  'date',
  'expect',
  'trailer',
  'keep-alive',
  'upgrade',
])

/** What needs no look at encodings: fewer characters than Node lets through. */
const unusual = /[^\t\x20-\x7E]/

const endOfHead = /^Date: ([^\r]+)\r\nConnection: keep-alive\r\n(?:Keep-Alive: [^\r]+\r\n)?\r\n$/

/** How many names of headers are remembered. An application has few, unless it makes them of what it is sent. */
const MOST_NAMES = 200

interface StatusLine {
  readonly message: string
  readonly text: string
}

interface HeaderLine {
  value: string
  text: string
}

/** Writes the head of a response, as `writeHead` does. Tells whether it is known to be ASCII. */
export type WriteHead = (response: HeadState, headers: Headers) => boolean

/**
 * Makes what writes heads: as text that is put together of lines which Node has written before. What is not known yet, or is
 * unusual in any way, Node writes: all heads where Node is another than is known here, or where somebody has put functions of
 * his own in the place of Node's.
 */
export function ownHeads(http: typeof Http): WriteHead {
  const { setTimeout } = nodeModule('node:timers')
  const { STATUS_CODES } = http
  const { writeHead, _storeHeader } = http.ServerResponse.prototype as unknown as HeadState
  const outgoing = new http.OutgoingMessage()
  const kOutHeaders = Object.getOwnPropertySymbols(outgoing).find(
    ({ description }) => description === 'kOutHeaders',
  ) as unknown as keyof HeadState
  if (
    kOutHeaders === undefined ||
    !fields.every((field) => Object.hasOwn(outgoing, field)) ||
    !isNodes(writeHead, '[kOutHeaders]') ||
    !isNodes(_storeHeader, 'processHeader(') ||
    !isNodes(setTimeout, 'new Timeout(')
  ) {
    return (response, headers) => {
      response.writeHead(response.statusCode, headers)
      return false
    }
  }

  const statusLines = new Map<number, StatusLine>()
  /** `null` for those that Node has to see. */
  const headerLines = new Map<string, HeaderLine | null>()
  /** What follows the headers, by the time that a connection is kept for the next request. */
  const ends = new Map<number, string>()
  /** Whether Node has written each head as it was expected to. */
  let isKnown = true

  return function write(response, headers) {
    const text = isKnown && isUsual(response) ? textOf(response, headers) : null
    if (text === null || text === undefined) {
      response.writeHead(response.statusCode, headers)
      if (text === undefined) isKnown = learn(response, headers)
      return false
    }
    response.statusMessage = STATUS_CODES[response.statusCode] as string
    response._contentLength = Number(headers['content-length'])
    response._header = text
    return true
  }

  /** Whether Node would look at nothing but status and headers, and nobody would see that it does. */
  function isUsual(response: HeadState): boolean {
    return (
      response.writeHead === writeHead &&
      response._storeHeader === _storeHeader &&
      response._header === null &&
      response[kOutHeaders] === null &&
      response.statusMessage === undefined &&
      response.sendDate &&
      response.shouldKeepAlive &&
      response._defaultKeepAlive &&
      !response.maxRequestsOnConnectionReached &&
      !response._removedConnection &&
      !response._expect_continue &&
      !response._maxRequestsPerSocket
    )
  }

  /** `null` where Node has to write the head, `undefined` where what it writes is to be learnt. */
  function textOf(response: HeadState, headers: Headers): string | null | undefined {
    const { statusCode } = response
    const message = STATUS_CODES[statusCode]
    // These have no body, which Node makes a note of.
    if (message === undefined || statusCode < 200 || statusCode === 204 || statusCode === 304)
      return null
    const status = statusLines.get(statusCode)
    const end = ends.get(response._keepAliveTimeout)
    let isComplete = end !== undefined && status !== undefined && status.message === message
    let text = isComplete ? (status as StatusLine).text : ''
    let hasLength = false
    for (const name of Object.keys(headers)) {
      const value = headers[name]
      const line = headerLines.get(name)
      if (line === undefined) {
        if (!isPlain(value) || headerLines.size >= MOST_NAMES) return null
        isComplete = false
      } else if (line === null) {
        return null
      } else {
        if (line.value !== value) {
          if (!isPlain(value)) return null
          line.value = value
          line.text = `${name}: ${value}\r\n`
        }
        text += line.text
      }
      if (name === 'content-length') hasLength = true
    }
    if (!hasLength) return null
    return isComplete ? text + (end as string) : undefined
  }

  /** Remembers the lines of a head that Node has written; tells whether it was as expected. */
  function learn(response: HeadState, headers: Headers): boolean {
    const { statusCode, statusMessage } = response
    if (!isPlain(statusMessage)) return true
    const names = Object.keys(headers)
    const ofNode = names.filter((name) => special.has(name.toLowerCase()))
    for (const name of ofNode) headerLines.set(name, null)
    if (ofNode.length > 0) return true

    const statusLine = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`
    const lines = names.map((name) => `${name}: ${headers[name] as string}\r\n`)
    const start = statusLine + lines.join('')
    const head = response._header as string
    const end = head.slice(start.length)
    const [, date] = endOfHead.exec(end) ?? []
    if (!head.startsWith(start) || date === undefined) return false
    statusLines.set(statusCode, { message: statusMessage, text: statusLine })
    for (const [index, name] of names.entries()) {
      headerLines.set(name, { value: headers[name] as string, text: lines[index] as string })
    }
    // As long as Node would write that date, which it too has a timer for.
    const left = Date.parse(date) + 1000 - Date.now()
    if (left > 0 && left <= 1000) {
      if (ends.size === 0) setTimeout(() => ends.clear(), left).unref()
      ends.set(response._keepAliveTimeout, end)
    }
    return true
  }
}

function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !unusual.test(value)
}

/** Whether a function is Node's own, and works by what is expected of it. */
export function isNodes(method: unknown, part: string): boolean {
  return typeof method === 'function' && Function.prototype.toString.call(method).includes(part)
}
