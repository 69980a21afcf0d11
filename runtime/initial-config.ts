// STUB
import { createRequire } from 'node:module'
const lib = createRequire(import.meta.url)('fastify/lib/initialConfigValidation.js')
export function createInitialConfig(options: object): {
  bodyLimit: number
  jsonShorthand: boolean
  exposeHeadRoutes: boolean
  http2SessionTimeout: number
} {
  return lib(options) as never
}
export const defaultInitOptions: {
  requestIdHeader: string
  bodyLimit: number
  connectionTimeout: number
  keepAliveTimeout: number
  maxRequestsPerSocket: number
  onConstructorPoisoning: 'error'
  onProtoPoisoning: 'error'
  requestTimeout: number
  pluginTimeout: number
} = lib.defaultInitOptions
