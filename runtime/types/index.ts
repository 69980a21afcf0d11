/** The public types, by noun. */
export type {
  CallbackFunc as LightMyRequestCallback,
  Chain as LightMyRequestChain,
  InjectOptions,
  Response as LightMyRequestResponse,
} from 'light-my-request-6'
export type * from './basic/validator-options.ts'
export type * from './basic/constraint.ts'
export type * from './content-type-parser.ts'
export type * from './basic/context.ts'
export type * from './basic/decoration.ts'
export type * from './basic/defaults.ts'
export type * from './error.ts'
export type * from './hook-methods.ts'
export type * from './hooks.ts'
export type * from './basic/initial-config.ts'
export type * from './instance.ts'
export type * from './basic/listen.ts'
export type * from './logger.ts'
export type * from './options.ts'
export type * from './plugin.ts'
export type * from './register.ts'
export type * from './reply.ts'
export type * from './request.ts'
export type * from './route-handler.ts'
export type * from './route.ts'
export type * from './schema.ts'
export type * from './basic/server.ts'
export type * from './basic/status.ts'
export type * from './type-provider.ts'
