import { deploymentErrorCodes } from '../errors/index.ts'

/** The module `pino`. */
type Pino = (options: { readonly transport?: unknown }, stream: unknown) => unknown

/**
 * Loads pino in a Worker, which has no threads for transports.
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
    return pino(options, stream)
  }
  return Object.setPrototypeOf(create, pino) as Pino
}
