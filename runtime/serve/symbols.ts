/** Keys of private properties. */

/** Instance: its encapsulation context. */
export const kContext: unique symbol = Symbol('framework.context')

/** Request: its route. */
export const kRoute: unique symbol = Symbol('framework.route')
/** Request: the stream of the body. `preParsing` hooks replace it. */
export const kPayloadStream: unique symbol = Symbol('framework.request.payloadStream')
/** Request: the raw response, for `signal`. */
export const kRawReply: unique symbol = Symbol('framework.request.rawReply')
/** Request: assigned headers, such as validated ones. They take precedence over the raw ones. */
export const kExtraHeaders: unique symbol = Symbol('framework.request.extraHeaders')

export const kReplySerializer: unique symbol = Symbol('framework.reply.serializer')
/** Reply: the next payload is an error, whatever its type. */
export const kReplyIsError: unique symbol = Symbol('framework.reply.isError')
export const kReplyHeaders: unique symbol = Symbol('framework.reply.headers')
export const kReplyTrailers: unique symbol = Symbol('framework.reply.trailers')
export const kReplyHasStatusCode: unique symbol = Symbol('framework.reply.hasStatusCode')
export const kReplyHijacked: unique symbol = Symbol('framework.reply.hijacked')
export const kReplyStartTime: unique symbol = Symbol('framework.reply.startTime')
export const kReplyEndTime: unique symbol = Symbol('framework.reply.endTime')
/** Reply: the handler of the next error, see `Reply` in model.ts. */
export const kReplyNextErrorHandler: unique symbol = Symbol('framework.reply.nextErrorHandler')
export const kReplyInErrorHook: unique symbol = Symbol('framework.reply.inErrorHook')
/** Reply: what is thrown is answered, because `guard` (see guard.ts) is on the stack. */
export const kReplyGuarded: unique symbol = Symbol('framework.reply.guarded')

/** Request and Reply classes: the decorator values of new objects. */
export const kInitialValues: unique symbol = Symbol('framework.initialValues')
/** Request and Reply classes: the class of the parent context. */
export const kParentClass: unique symbol = Symbol('framework.parentClass')
/** Request and Reply classes: the class has members that the parent's lacks. */
export const kDecorated: unique symbol = Symbol('framework.decorated')

/** Socket: the request that it is serving, for `onTimeout` hooks. */
export const kTimeoutTarget: unique symbol = Symbol('framework.socket.timeoutTarget')
