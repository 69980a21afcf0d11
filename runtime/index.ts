import { errorCodes, framework } from './factory.ts'

export type { FrameworkFactory } from './factory.ts'
export type * from './types/index.ts'
export { errorCodes, framework, framework as fastify, framework as 'module.exports' }
export default framework
