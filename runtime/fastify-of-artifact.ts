/**
 * The module that `import 'fastify'` gets with `framework/fastify` on releases of Node that run hooks in a separate thread, which doesn't
 * know the artifact yet.
 */
import { fastify as fastify4 } from './index.ts'
import { replacesFastify5 } from './replaced-line.ts'

const { createRequire } = process.getBuiltinModule('node:module')

export const fastify: typeof fastify4 = replacesFastify5()
  ? (createRequire(import.meta.url)('./5.cjs') as typeof fastify4)
  : fastify4

const members = fastify as unknown as Readonly<Record<string, unknown>>
export const errorCodes: unknown = members['errorCodes']
export const LogController: unknown = members['LogController']
export { fastify as default, fastify as framework }
