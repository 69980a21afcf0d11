/** The type of the body without generics and type provider. */
export type RequestBodyDefault = unknown
/** The type of the query string without generics and type provider. */
export type RequestQuerystringDefault = unknown
/** The type of the parameters without generics and type provider. */
export type RequestParamsDefault = unknown
/** The type of the headers without generics and type provider. */
export type RequestHeadersDefault = unknown
/** The type of the payload without generics and type provider. */
export type ReplyDefault = unknown
/** The type of a route's `config` without generics. */
export type ContextConfigDefault = unknown
