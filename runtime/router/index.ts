export type * from './types.ts'
export { httpMethods, isHttpMethod } from './methods.ts'
export { parseQuery } from './querystring.ts'
export { Router } from './router.ts'
