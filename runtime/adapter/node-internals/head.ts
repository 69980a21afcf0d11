/** Writes heads of responses without Node's checks: status line and headers as text, then the lines that Node wrote last (`Date`, `Connection`). */
import type * as Http from 'node:http'
import { nodeModule } from '../../platform/index.ts'

type Headers = Readonly<Record<string, unknown>>

/** Internal fields and methods of a response before its head is written. */
interface HeadState {
  _header: string | null
  _contentLength: number | null
  statusMessage: string
  readonly statusCode: number
  readonly sendDate: boolean
  readonly shouldKeepAlive: boolean
  readonly maxRequestsOnConnectionReached: boolean
  readonly _defaultKeepAlive: boolean
  readonly _removedConnection: boolean
  readonly _expect_continue: boolean
  readonly _keepAliveTimeout: number
  readonly _maxRequestsPerSocket?: number | null
  /** Formats the head from status line and headers. */
  _storeHeader(statusLine: string, headers: object): void
  writeHead(statusCode: number, headers: object): unknown
  readonly [internal: symbol]: unknown
}

/** Names of headers, except for those that change what else Node writes. */
const ordinaryName =
  /^(?!(?:connection|date|expect|keep-alive|trailer|transfer-encoding|upgrade)$)[\w-]+$/i

const notPrintable = /[^\t\x20-\x7E]/

const endOfHead = /^Date: ([^\r]+)\r\nConnection: keep-alive\r\n(?:Keep-Alive: [^\r]+\r\n)?\r\n$/

/** Writes the head of a response, as `writeHead` does. Returns whether it is known to be ASCII. */
export type WriteHead = (response: unknown, headers: Headers) => boolean

/**
 * Creates the function that writes heads. It ends them with the lines that Node has written in the same second, and calls `writeHead`
 * for everything that is unusual. If somebody has replaced Node's functions, it always calls `writeHead`.
 */
export function createWriteHead(http: typeof Http): WriteHead {
  const { setTimeout } = nodeModule('node:timers')
  const { STATUS_CODES } = http
  const prototype: unknown = http.ServerResponse.prototype
  const { writeHead, _storeHeader } = prototype as HeadState
  const symbol = Object.getOwnPropertySymbols(new http.OutgoingMessage()).find(
    ({ description }) => description === 'kOutHeaders',
  )
  if (
    symbol === undefined ||
    !isUnpatched(writeHead, '[kOutHeaders]') ||
    !isUnpatched(_storeHeader, 'processHeader(') ||
    !isUnpatched(setTimeout, 'new Timeout(')
  ) {
    return (given, headers) => {
      const response = given as HeadState
      response.writeHead(response.statusCode, headers)
      return false
    }
  }

  const kOutHeaders: symbol = symbol
  const phrases = { ...STATUS_CODES }
  /** The lines after the headers, by keep-alive timeout. */
  const ends = new Map<number, string>()
  /** False once Node has written a head in an unexpected form. */
  let isExpected = true

  return function write(given, headers) {
    const response = given as HeadState
    const start = isExpected && isUntouched(response) ? startOf(response, headers) : null
    const end = ends.get(response._keepAliveTimeout)
    if (start === null || end === undefined) {
      response.writeHead(response.statusCode, headers)
      if (start !== null) isExpected = learnEnd(response, start)
      return false
    }
    response.statusMessage = STATUS_CODES[response.statusCode] as string
    response._contentLength = Number(headers['content-length'])
    response._header = start + end
    return true
  }

  /** Returns whether the head depends on nothing but status and headers, and nobody observes how it is written. */
  function isUntouched(response: HeadState): boolean {
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

  /** Returns status line and headers, or `null` if Node has to write the head. */
  function startOf({ statusCode }: HeadState, headers: Headers): string | null {
    const message = phrases[statusCode]
    // Releases of Node differ in what a changed table does.
    if (message !== STATUS_CODES[statusCode]) return null
    if (!message || !isPlain(message) || headers['content-length'] === undefined) return null
    // Node notes that these have no body.
    if (statusCode < 200 || statusCode === 204 || statusCode === 304) return null
    let text = `HTTP/1.1 ${statusCode} ${message}\r\n`
    for (const name of Object.keys(headers)) {
      const value = headers[name]
      if (!ordinaryName.test(name) || !isPlain(value)) return null
      text += `${name}: ${value}\r\n`
    }
    return text
  }

  /** Remembers the end of a head that Node has written. Returns false if the head has an unexpected form. */
  function learnEnd({ _header, _keepAliveTimeout }: HeadState, start: string): boolean {
    const head = _header as string
    const end = head.slice(start.length)
    const [, date] = endOfHead.exec(end) ?? []
    if (!head.startsWith(start) || date === undefined) return false
    // Forget the date when its second is over, as Node does.
    const left = Date.parse(date) + 1000 - Date.now()
    if (left > 0 && left <= 1000) {
      if (ends.size === 0) setTimeout(() => ends.clear(), left).unref()
      ends.set(_keepAliveTimeout, end)
    }
    return true
  }
}

/** Returns whether a value is printable ASCII. Node allows more, and writes such heads itself. */
function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !notPrintable.test(value)
}

/** Returns whether a function of Node was not replaced, by code that observes responses for example. */
export function isUnpatched(method: unknown, expectedSource: string): boolean {
  return (
    typeof method === 'function' &&
    Function.prototype.toString.call(method).includes(expectedSource)
  )
}
