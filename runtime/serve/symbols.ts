/** The keys of everything private that the runtime keeps on objects which users hold. */

/** Instance: its encapsulation context. */
export const kContext: unique symbol = Symbol('framework.context')

/** Request: the record of the route that serves it. */
export const kRoute: unique symbol = Symbol('framework.route')
/** Request: the stream that the body is read from; `preParsing` hooks replace it. */
export const kPayloadStream: unique symbol = Symbol('framework.request.payloadStream')
/** Request: headers as a validator left them; they are laid over the raw ones. */
export const kExtraHeaders: unique symbol = Symbol('framework.request.extraHeaders')

/** Raw response: writes the head of an answer that is there as a whole. */
export const kWriteHead: unique symbol = Symbol('framework.outgoing.writeHead')
/** Raw response: ends with a payload that is there as a whole. */
export const kEndWith: unique symbol = Symbol('framework.outgoing.endWith')
/** Raw response: writes the first chunks of a stream together. */
export const kGatherChunks: unique symbol = Symbol('framework.outgoing.gatherChunks')

export const kReplySerializer: unique symbol = Symbol('framework.reply.serializer')
/** Reply: what is sent next is an error, whatever its type. */
export const kReplyIsError: unique symbol = Symbol('framework.reply.isError')
export const kReplyHeaders: unique symbol = Symbol('framework.reply.headers')
export const kReplyTrailers: unique symbol = Symbol('framework.reply.trailers')
export const kReplyHasStatusCode: unique symbol = Symbol('framework.reply.hasStatusCode')
export const kReplyHijacked: unique symbol = Symbol('framework.reply.hijacked')
export const kReplyStartTime: unique symbol = Symbol('framework.reply.startTime')
export const kReplyEndTime: unique symbol = Symbol('framework.reply.endTime')
/** Reply: who handles the next error; `null` when only the fallback is left. */
export const kReplyNextErrorHandler: unique symbol = Symbol('framework.reply.nextErrorHandler')
export const kReplyInErrorHook: unique symbol = Symbol('framework.reply.inErrorHook')
/** Reply: `guard` is on the stack, so that what is thrown gets an answer. */
export const kReplyGuarded: unique symbol = Symbol('framework.reply.guarded')

/** Request and Reply classes: the values that each new object gets. */
export const kInitialValues: unique symbol = Symbol('framework.initialValues')
/** Request and Reply classes: the class of the enclosing context. */
export const kParentClass: unique symbol = Symbol('framework.parentClass')
/** Request and Reply classes: it differs from its parent. */
export const kDecorated: unique symbol = Symbol('framework.decorated')

/** Socket: the request that its `timeout` event is about. */
export const kTimeoutTarget: unique symbol = Symbol('framework.socket.timeoutTarget')
