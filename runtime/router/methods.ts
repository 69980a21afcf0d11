/** The methods of `node:http` in Node 18.12. */
export const httpMethods: readonly string[] = (
  'ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY ' +
  'OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE'
).split(' ')

/** Returns whether the router accepts a method. Includes QUERY, which Fastify 5 added. */
export function isHttpMethod(method: string): boolean {
  return method === 'QUERY' || httpMethods.includes(method)
}
