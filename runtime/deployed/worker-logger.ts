import { deploymentErrorCodes } from '../errors/index.ts'
import type { Pino } from './lambda-logger.ts'

/**
 * Loads pino in a Worker, which has no threads for transports, and where every log line would name the same process.
 *
 * @param date the first compatibility date with the modules that pino requires
 * @throws FST_ERR_DEPLOY_COMPATIBILITY_DATE
 */
export function loadWorkerLogger(load: () => Pino, date: string): Pino {
  if (process.getBuiltinModule('node:worker_threads') === undefined)
    throw new deploymentErrorCodes.FST_ERR_DEPLOY_COMPATIBILITY_DATE('`logger`', date)
  const pino = load()
  const create: Pino = (options, stream) => {
    if (options.transport !== undefined)
      throw new deploymentErrorCodes.FST_ERR_DEPLOY_NO_TRANSPORT()
    return pino({ base: null, ...options }, stream)
  }
  return Object.setPrototypeOf(create, pino) as Pino
}

/** The destination class of pino: a stream for a file, or for the process's output. */
type Destination = new (options?: { readonly fd?: unknown; readonly dest?: unknown }) => object

/** Property of a stream that wants to know the level of each line. */
const kMetadata = Symbol.for('pino.metadata')

interface ConsoleStream {
  lastLevel: number
}

/** Changes pino's destinations in a Worker: output goes to the console, as the objects that Workers Logs indexes. */
export function toConsole(SonicBoom: Destination): Destination {
  return new Proxy(SonicBoom, {
    construct(target, args: ConstructorParameters<Destination>) {
      const stream = new target(...args)
      const { dest, fd = dest } = args[0] ?? {}
      return fd === 1 || fd === 2 ? Object.assign(stream, { write, [kMetadata]: true }) : stream
    },
  })
}

function write(this: ConsoleStream, line: string): boolean {
  const { lastLevel } = this
  const method =
    lastLevel >= 50 ? 'error' : lastLevel >= 40 ? 'warn' : lastLevel >= 30 ? 'info' : 'debug'
  // oxlint-disable-next-line no-console
  console[method](JSON.parse(line))
  return true
}
