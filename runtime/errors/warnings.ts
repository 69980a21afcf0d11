/** Names, codes and texts are Fastify's, except for FST_AOT: applications filter by them and test for them. */
import { format } from '../platform/index.ts'

const catalogue = {
  FSTDEP005:
    'You are accessing the deprecated "request.connection" property. Use "request.socket" instead.',
  FSTDEP006:
    'You are decorating Request/Reply with a reference type. This reference is shared amongst all requests. Use onRequest hook instead. Property: %s',
  FSTDEP007:
    'You are trying to set a HEAD route using "exposeHeadRoute" route flag when a sibling route is already set. See documentation for more info.',
  FSTDEP008:
    'You are using route constraints via the route { version: "..." } option, use { constraints: { version: "..." } } option instead.',
  FSTDEP009:
    'You are using a custom route versioning strategy via the server { versioning: "..." } option, use { constraints: { version: "..." } } option instead.',
  FSTDEP010:
    'Modifying the "reply.sent" property is deprecated. Use the "reply.hijack()" method instead.',
  FSTDEP011:
    'Variadic listen method is deprecated. Please use ".listen(optionsObject)" instead. The variadic signature will be removed in `fastify@5`.',
  FSTDEP012:
    'Request#context property access is deprecated. Please use "Request#routeConfig" or "Request#routeSchema" instead for accessing Route settings. The "Request#context" will be removed in `fastify@5`.',
  FSTDEP013:
    'Direct return of "trailers" function is deprecated. Please use "callback" or "async-await" for return value. The support of direct return will removed in `fastify@5`.',
  FSTDEP014:
    'You are trying to set/access the default route. This property is deprecated. Please, use setNotFoundHandler if you want to custom a 404 handler or the wildcard (*) to match all routes.',
  FST_AOT_NOT_STARTED:
    '%s has ended without an application: it exports one, and nothing has started it. Run `framework dev %s`, or a file that lets it listen.',
  FST_AOT_OPTION_WITHOUT_EFFECT: 'The option "%s" of Fastify 5 has no effect in `framework`: %s.',
  FST_AOT_TRUST_PROXY_COUNT:
    'The option "trustProxy" is a number, which trusts no proxy: a number of hops cannot tell a proxy from a client that connects directly. Give the addresses of the proxies, or a function of an address.',
  FSTDEP022:
    'The router options for %s property access is deprecated. Please use "options.routerOptions" instead for accessing router options. The router options will be removed in `fastify@6`.',
  FSTDEP023:
    'disableRequestLogging option is deprecated. Use the logController option with disableRequestLogging or isLogDisabled override instead. The disableRequestLogging top-level option will be removed in `fastify@6`.',
  FSTDEP024:
    'requestIdLogLabel option is deprecated. Use the logController option with requestIdLogLabel instead. The requestIdLogLabel top-level option will be removed in `fastify@6`.',
  FSTDEP025:
    'Calling addHttpMethod for existing method "%s" without { overrideExisting: true } is deprecated. In Fastify v6, this will throw an error.',
  FSTSEC001:
    'You are using /%s/ Content-Type which may be vulnerable to CORS attack. Please make sure your RegExp start with "^" or include ";?" to proper detection of the essence MIME type.',
  FSTSEC002:
    'The headers schema for %s: %s references an external $ref (%s) that is not case-normalized. Header names in the referenced schema keep their original case and will not match the lowercased request headers, so case-insensitive assertions such as required and dependencies may not apply. Inline the header schema instead of referencing it with an external $ref.',
  FSTSEC003:
    'The headers schema for %s: %s uses a $ref (%s) inside propertyNames that is not case-normalized. Header names held in the referenced schema keep their original case and will not match the lowercased request headers, so a case-insensitive deny-list or allow-list on header names may not apply. Inline the propertyNames constraint instead of referencing it with a $ref.',
  FSTWRN003:
    'The %s mixes async and callback styles that may lead to unhandled rejections. Please use only one of them.',
  FSTWRN004:
    "It seems that you are overriding an errorHandler in the same scope, which can lead to subtle bugs. To disable this behavior, set 'allowErrorHandlerOverride' to false. For more information, visit: https://fastify.dev/docs/latest/Reference/Server/#allowerrorhandleroverride",
  FSTWRN001:
    'The %s schema for %s: %s is missing. This may indicate the schema is not well specified.',
} as const

export type WarningCode = keyof typeof catalogue

/** Emits a process warning on every call, as 4.21 does. Arguments replace each `%s`. */
export function emitWarning(code: WarningCode, ...args: unknown[]): void {
  const text = format(catalogue[code], ...args)
  process.emitWarning(text, typeOf(code), code)
}

/** Returns the name of the warning. Fastify 5 gives FSTDEP022 the name of an ordinary warning. */
function typeOf(code: WarningCode): string {
  if (code.startsWith('FSTSEC')) return 'FastifySecurity'
  return code.startsWith('FSTDEP') && code !== 'FSTDEP022' ? 'FastifyDeprecation' : 'FastifyWarning'
}

/** Warnings that were already emitted. */
const warned = new Set<string>()

/** Emits a process warning once for each first argument. */
export function warnOnce(code: WarningCode, what: string, ...args: unknown[]): void {
  const key = `${code} ${what}`
  if (warned.has(key)) return
  warned.add(key)
  emitWarning(code, what, ...args)
}
