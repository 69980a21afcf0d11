import type * as Http from 'node:http'
import { nodeModule } from '../../platform/index.ts'
import { isUnpatched } from './unpatched.ts'

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

const unusual = /[^\t\x20-\x7E]/

const endOfHead = /^Date: ([^\r]+)\r\nConnection: keep-alive\r\n(?:Keep-Alive: [^\r]+\r\n)?\r\n$/

/** Limits how many header names are remembered: some applications create names from their data. */
const MAX_NAMES = 200

interface HeaderLine {
  value: string
  text: string
}

/** Writes the head of a response, as `writeHead` does. Returns whether it is known to be ASCII. */
export type WriteHead = (response: unknown, headers: Headers) => boolean

/**
 * Creates the function that writes heads. It puts them together from lines that Node has written before, and calls `writeHead` for
 * everything that is new or unusual. If somebody has replaced Node's functions, it always calls `writeHead`.
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
  const statusLines = new Map<number, { readonly message: string; readonly text: string }>()
  /** By name. `null` for the special ones. */
  const headerLines = new Map<string, HeaderLine | null>()
  /** The lines after the headers, by keep-alive timeout. */
  const ends = new Map<number, string>()
  /** False once Node has written a head in an unexpected form. */
  let isExpected = true

  return function write(given, headers) {
    const response = given as HeadState
    const text = isExpected && isUsual(response) ? format(response, headers) : null
    if (text === null || text === undefined) {
      response.writeHead(response.statusCode, headers)
      if (text === undefined) isExpected = learn(response, headers)
      return false
    }
    response.statusMessage = STATUS_CODES[response.statusCode] as string
    response._contentLength = Number(headers['content-length'])
    response._header = text
    return true
  }

  /** Returns whether the head depends on nothing but status and headers, and nobody observes how it is written. */
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

  /** Returns `null` if Node has to write the head, and `undefined` if its lines can be learned when Node has. */
  function format(response: HeadState, headers: Headers): string | null | undefined {
    const { statusCode } = response
    const message = STATUS_CODES[statusCode]
    // Node notes that these have no body.
    if (message === undefined || statusCode < 200 || statusCode === 204 || statusCode === 304)
      return null
    const status = statusLines.get(statusCode)
    const end = ends.get(response._keepAliveTimeout)
    let isComplete = end !== undefined && status?.message === message
    let text = status?.text ?? ''
    let hasLength = false
    for (const name of Object.keys(headers)) {
      const value = headers[name]
      const line = headerLines.get(name)
      if (line === undefined) {
        if (!isPlain(value) || headerLines.size >= MAX_NAMES) return null
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
    return isComplete ? text + end : undefined
  }

  /** Remembers the lines of a head that Node has written. Returns false if it has an unexpected form. */
  function learn(response: HeadState, headers: Headers): boolean {
    const { statusCode, statusMessage } = response
    if (!isPlain(statusMessage)) return true
    const names = Object.keys(headers)
    const specialNames = names.filter((name) => special.has(name.toLowerCase()))
    for (const name of specialNames) headerLines.set(name, null)
    if (specialNames.length > 0) return true

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
    // Forget the date when its second is over, as Node does.
    const left = Date.parse(date) + 1000 - Date.now()
    if (left > 0 && left <= 1000) {
      if (ends.size === 0) setTimeout(() => ends.clear(), left).unref()
      ends.set(response._keepAliveTimeout, end)
    }
    return true
  }
}

/** Returns whether Node sends a value without encoding it: it allows more characters than these. */
function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !unusual.test(value)
}
