/** What a route's parts are typed as while neither generics nor a type provider say more. */

export type RequestBodyDefault = unknown
export type RequestQuerystringDefault = unknown
export type RequestParamsDefault = unknown
export type RequestHeadersDefault = unknown
export type ReplyDefault = unknown
export type ContextConfigDefault = unknown
