/** The factory with the option `useNodeInternals: false`. */
import framework, { type FastifyInstance, type FastifyServerOptions } from 'framework'

export default function createInstance(options: FastifyServerOptions): FastifyInstance {
  return framework({ ...options, useNodeInternals: false })
}
