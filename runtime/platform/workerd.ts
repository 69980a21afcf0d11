/** The platform interface for Workers, which have Node's modules. */
export * from './node.ts'

export const mayBeNode: boolean = false
