import { nodeModule } from '../../platform/index.ts'

/** The lines that are written of each request. Each call tells whether it has written one, or pino has to. */
export interface RequestLines {
  incoming(log: object, request: object): boolean
  completed(log: object, reply: object, responseTime: number): boolean
}

/** On a logger whose children are known to write these lines as pino would. */
const kLines: unique symbol = Symbol('framework.logger.lines')

/** A logger of any kind. */
interface Logger {
  info(line: object, message: string): void
}

/** Logs that a request has come in. */
export function logIncoming(log: Logger, request: object): void {
  if (linesOf(log)?.incoming(log, request) !== true) log.info({ req: request }, incoming)
}

/** Logs that a request was answered. */
export function logCompleted(log: Logger, reply: object, responseTime: number): void {
  if (linesOf(log)?.completed(log, reply, responseTime) !== true) {
    log.info({ res: reply, responseTime }, completed)
  }
}

function linesOf(log: Logger): RequestLines | null | undefined {
  return (log as { [kLines]?: RequestLines | null })[kLines]
}

const incoming = 'incoming request'
const completed = 'request completed'

/** The level of both. */
const infoLevel = 30

/** The serializers of loggers, unless the application brings its own. */
export interface OwnSerializers {
  readonly req: (request: never) => Readonly<Record<string, unknown>>
  readonly res: (reply: never) => { readonly statusCode: unknown }
}

/** The names under which pino keeps what it makes lines of. */
export type LineSymbols = Readonly<
  Record<
    | 'asJsonSym'
    | 'chindingsSym'
    | 'endSym'
    | 'errorKeySym'
    | 'formattersSym'
    | 'hooksSym'
    | 'lsCacheSym'
    | 'messageKeySym'
    | 'mixinSym'
    | 'msgPrefixSym'
    | 'needsMetadataGsym'
    | 'nestedKeySym'
    | 'serializersSym'
    | 'setLevelSym'
    | 'streamSym'
    | 'stringifiersSym'
    | 'timeSym'
    | 'writeSym',
    symbol
  >
>

/** A logger of pino's, with what is looked at by those names. */
interface Insides {
  readonly info: (line: object, message: string) => void
  child(bindings: object): Insides
  [name: symbol]: unknown
}

interface Stream {
  write(line: string): void
  readonly [name: symbol]: unknown
}

type Serializers = Readonly<Record<string, unknown>>

/**
 * Lets the children of a logger write the two lines of a request themselves: pino looks at each value of them anew, and at all
 * that a line could be. It still does where anything is set that could make other lines of these, or would be called for them, and
 * where it writes others than these when it is asked here.
 *
 * Called with a logger that pino has just made; gives what is then called with loggers that it makes children of.
 */
export function requestLines(
  made: object,
  symbols: LineSymbols,
  own: OwnSerializers,
): (parent: object) => void {
  const { asJsonSym, setLevelSym, writeSym } = symbols
  const { [asJsonSym]: asJson, [setLevelSym]: setLevel, [writeSym]: write } = made as Insides
  return (parent) => {
    const logger = parent as Insides
    const isPinos =
      logger[asJsonSym] === asJson && logger[setLevelSym] === setLevel && logger[writeSym] === write
    Object.assign(parent, { [kLines]: isPinos ? linesOfChildren(logger, symbols, own) : null })
  }
}

function linesOfChildren(
  logger: Insides,
  symbols: LineSymbols,
  { req, res }: OwnSerializers,
): RequestLines | null {
  const { asJsonSym, chindingsSym, endSym, errorKeySym, formattersSym, hooksSym } = symbols
  const { lsCacheSym, messageKeySym, mixinSym, msgPrefixSym, needsMetadataGsym } = symbols
  const { nestedKeySym, serializersSym, streamSym, stringifiersSym, timeSym, writeSym } = symbols
  const { info } = logger
  const asJson = logger[asJsonSym]
  const errorKey = logger[errorKeySym]
  const formatters = logger[formattersSym] as { readonly log: unknown }
  const messageKey = logger[messageKeySym] as string
  const serializers = logger[serializersSym] as Serializers
  const stringifiers = logger[stringifiersSym] as object
  const write = logger[writeSym]
  // Who listens to it is told of each line that pino makes.
  const told = nodeModule('node:diagnostics_channel').tracingChannel('pino_asJson')
  const textOfRequest = requestText(req)
  const incomingMessage = `,"${messageKey}":"${incoming}"`
  const completedMessage = `,"${messageKey}":"${completed}"`

  const lines: RequestLines = {
    incoming(log, request) {
      if (!isUsual(log as Insides)) return false
      const text = textOfRequest(request)
      if (text === null) return false
      put(log as Insides, text + incomingMessage)
      return true
    },
    completed(log, reply, responseTime) {
      if (!isUsual(log as Insides)) return false
      const { statusCode } = res(reply as never)
      if (!Number.isFinite(statusCode)) return false
      const text = `,"res":{"statusCode":${statusCode as number}},"responseTime":${responseTime}`
      put(log as Insides, text + completedMessage)
      return true
    },
  }
  return isUsual(logger) && writesSame() ? lines : null

  /** Whether nothing could make other lines, and nobody would be called for them who is not called here. */
  function isUsual(log: Insides): boolean {
    return (
      log.info === info &&
      log[writeSym] === write &&
      log[asJsonSym] === asJson &&
      log[errorKeySym] === errorKey &&
      log[messageKeySym] === messageKey &&
      log[mixinSym] === undefined &&
      log[msgPrefixSym] === undefined &&
      !log[nestedKeySym] &&
      log[formattersSym] === formatters &&
      formatters.log === undefined &&
      (log[hooksSym] as { streamWrite?: unknown }).streamWrite === undefined &&
      log[stringifiersSym] === stringifiers &&
      log[serializersSym] === serializers &&
      serializers['req'] === req &&
      serializers['res'] === res &&
      serializers['responseTime'] === undefined &&
      serializers[messageKey] === undefined &&
      (log[streamSym] as Stream)[needsMetadataGsym] !== true &&
      told.hasSubscribers === false
    )
  }

  function put(log: Insides, text: string): void {
    const level = (log[lsCacheSym] as Readonly<Record<number, string>>)[infoLevel] as string
    const time = (log[timeSym] as () => string)()
    const line = level + time + (log[chindingsSym] as string) + text + (log[endSym] as string)
    ;(log[streamSym] as Stream).write(line)
  }

  /** Whether pino itself writes what is expected of it. */
  function writesSame(): boolean {
    const { logMethod } = logger[hooksSym] as { logMethod?: unknown }
    if (logMethod !== undefined || errorKey === 'responseTime') return false
    if (Reflect.ownKeys(stringifiers).length > 0) return false
    const written: string[] = []
    const log = logger.child({})
    log[streamSym] = { write: (line: string) => void written.push(line) }
    log[timeSym] = () => ',"time":0'
    lines.incoming(log, sample)
    lines.completed(log, sample, 1.5)
    log.info({ req: sample }, incoming)
    log.info({ res: sample, responseTime: 1.5 }, completed)
    return written.length === 4 && written[0] === written[2] && written[1] === written[3]
  }
}

/** Stands for a request and for its reply. */
const sample = {
  method: 'GET',
  url: '/a"\\\n\u2028\ud800é',
  headers: { 'accept-version': '1.x' },
  hostname: 'a.example:80',
  ip: '::1',
  socket: { remotePort: 1024 },
  statusCode: 200,
}

/** Writes requests as JSON; `null` for one that has other than texts and a port. */
function requestText(req: OwnSerializers['req']): (request: object) => string | null {
  const methods = new Member(',"req":{"method":')
  const urls = new Member(',"url":')
  const versions = new Member(',"version":')
  const hosts = new Member(',"hostname":')
  const addresses = new Member(',"remoteAddress":')

  return function textOf(request) {
    const { method, url, version, hostname, remoteAddress, remotePort } = req(request as never)
    if (
      typeof method !== 'string' ||
      !isTextOrNone(url) ||
      !isTextOrNone(version) ||
      !isTextOrNone(hostname) ||
      !isTextOrNone(remoteAddress) ||
      (remotePort !== undefined && !Number.isFinite(remotePort))
    ) {
      return null
    }
    return (
      methods.textOf(method) +
      urls.textOf(url) +
      versions.textOf(version) +
      hosts.textOf(hostname) +
      addresses.textOf(remoteAddress) +
      (remotePort === undefined ? '}' : `,"remotePort":${remotePort as number}}`)
    )
  }
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

/** Writes a member with its value, which is mostly that of the request before. */
class Member {
  readonly #start: string
  #value: string | undefined
  #text = ''

  constructor(start: string) {
    this.#start = start
  }

  textOf(value: string | undefined): string {
    if (value !== this.#value) {
      this.#value = value
      this.#text = value === undefined ? '' : this.#start + JSON.stringify(value)
    }
    return this.#text
  }
}
