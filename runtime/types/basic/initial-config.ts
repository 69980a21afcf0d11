/** How to handle a `__proto__` key in a JSON body. */
export type ProtoAction = 'error' | 'remove' | 'ignore'

/** How to handle a `constructor` key in a JSON body. */
export type ConstructorAction = 'error' | 'remove' | 'ignore'

/** The options that the instance was created with, defaults filled in; frozen. */
export type FastifyInitialConfig = Readonly<{
  connectionTimeout?: number
  keepAliveTimeout?: number
  forceCloseConnections?: boolean
  bodyLimit?: number
  caseSensitive?: boolean
  allowUnsafeRegex?: boolean
  http2?: boolean
  https?: boolean | Readonly<{ allowHTTP1: boolean }>
  ignoreTrailingSlash?: boolean
  ignoreDuplicateSlashes?: boolean
  disableRequestLogging?: boolean
  maxParamLength?: number
  onProtoPoisoning?: ProtoAction
  onConstructorPoisoning?: ConstructorAction
  pluginTimeout?: number
  requestIdHeader?: string | false
  requestIdLogLabel?: string
  http2SessionTimeout?: number
}>
