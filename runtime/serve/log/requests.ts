import { requestLines, type LineSymbols, type OwnSerializers } from './lines.ts'

/** What is used of a logger that pino has made. */
interface PinoLogger {
  readonly levelVal: number
  readonly onChild: unknown
  child(bindings: object, options?: object): PinoLogger
  listenerCount(event: 'level-change'): number
  readonly [symbol: symbol]: unknown
}

interface Options {
  readonly level?: string
  readonly serializers?: object
}

/** Makes a child, as the method of that name does. */
export type MakeChild = (bindings: object, options: Options) => unknown

/**
 * Makes the loggers of requests. pino makes functions for all levels again for each child with options, even if they say nothing.
 * Here they are made once for each level; requests get children of that one, as long as nobody could tell.
 */
export function requestLoggers(
  logger: object,
  symbols: LineSymbols,
  own: OwnSerializers,
): MakeChild {
  const { chindingsSym, formattersSym, serializersSym } = symbols
  const parent = logger as PinoLogger
  const { child, onChild } = parent
  const addLines = requestLines(parent, symbols, own)
  const made = new Map<string, PinoLogger>()
  /** What those were made of. */
  let levelVal: unknown
  let chindings: unknown
  let formatters: unknown
  let serializers: unknown

  return function makeChild(bindings, options) {
    if (
      options.serializers !== undefined ||
      parent.child !== child ||
      parent.onChild !== onChild ||
      parent.listenerCount('level-change') > 0
    ) {
      return parent.child(bindings, options)
    }
    if (
      parent.levelVal !== levelVal ||
      parent[chindingsSym] !== chindings ||
      parent[formattersSym] !== formatters ||
      parent[serializersSym] !== serializers
    ) {
      made.clear()
      levelVal = parent.levelVal
      chindings = parent[chindingsSym]
      formatters = parent[formattersSym]
      serializers = parent[serializersSym]
    }
    const level = options.level ?? ''
    let between = made.get(level)
    if (between === undefined) {
      between = parent.child({}, { level })
      addLines(between)
      made.set(level, between)
    }
    return between.child(bindings)
  }
}
