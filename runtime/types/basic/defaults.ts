/** Types of a route's parts without generics and type provider. */

export type RequestBodyDefault = unknown
export type RequestQuerystringDefault = unknown
export type RequestParamsDefault = unknown
export type RequestHeadersDefault = unknown
export type ReplyDefault = unknown
export type ContextConfigDefault = unknown
