import { errorCodes } from './errors.ts'
import { createInstance } from './instance.ts'
import type { FrameworkFactory } from './types/index.ts'

export type * from './types/index.ts'

/** Creates an application. @throws FST_ERR_* for invalid options */
const framework = ((options?: unknown) => createInstance(options)) as unknown as FrameworkFactory

// `require('framework')` gives the function itself, with everything on it.
Object.assign(framework, { default: framework, framework, fastify: framework, errorCodes })

export { errorCodes, framework, framework as fastify, framework as 'module.exports' }
export default framework
