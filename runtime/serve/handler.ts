/** The second half of a request's lifecycle: `preValidation` hooks, validation, `preHandler` hooks and the handler. */
import { guard } from './guard.ts'
import { runHooks } from './hook-runners.ts'
import type { Failure, Reply, Request } from './model.ts'
import { kReplyIsError, kRoute } from './symbols.ts'
import { sendResult } from './send-result.ts'
import { validateRequest } from './validation.ts'

/** Runs the steps after body parsing. */
export function runFromValidation(request: Request, reply: Reply): void {
  // Errors must not be thrown through the parser that has called back.
  guard(preValidate, null, request, reply)
}

function preValidate(_error: unknown, request: Request, reply: Reply): void {
  const route = request[kRoute]
  if (route.preValidation === null) validate(null, request, reply)
  else runHooks(route.preValidation, route.server, request, reply, validate)
}

/** Continues with `preHandler` hooks and the handler. `reply.callNotFound()` starts here. */
export function runFromPreHandler(request: Request, reply: Reply): void {
  const route = request[kRoute]
  if (route.preHandler === null) handle(null, request, reply)
  else runHooks(route.preHandler, route.server, request, reply, handle)
}

/** Returns whether the request ends here: hooks have sent the reply, or their error is sent now. */
export function endedBy(error: unknown, reply: Reply): boolean {
  if (reply.sent) return true
  if (error === null || error === undefined) return false
  reply[kReplyIsError] = true
  reply.send(error)
  return true
}

function validate(error: unknown, request: Request, reply: Reply): void {
  if (endedBy(error, reply)) return
  const outcome = validateRequest(request[kRoute], request)
  if (outcome === null) {
    runFromPreHandler(request, reply)
  } else if ('then' in outcome) {
    const goOn = (failure: unknown): void => guard(goOnAfterValidation, failure, request, reply)
    outcome.then(goOn, goOn)
  } else {
    goOnAfterValidation(outcome, request, reply)
  }
}

function goOnAfterValidation(failure: unknown, request: Request, reply: Reply): void {
  if (failure) {
    if (request[kRoute].attachValidation === false) {
      reply.send(failure)
      return
    }
    request.validationError = failure as Failure
  }
  runFromPreHandler(request, reply)
}

function handle(error: unknown, request: Request, reply: Reply): void {
  if (reply.sent) return
  const { tracing } = request[kRoute].line
  if (tracing === undefined) callHandler(error, request, reply)
  else tracing.run(request, reply, () => callHandler(error, request, reply))
}

function callHandler(error: unknown, request: Request, reply: Reply): void {
  if (error !== null && error !== undefined) {
    fail(error, request, reply)
    return
  }
  const route = request[kRoute]
  let result: unknown
  try {
    result = route.handler.call(route.server, request, reply)
  } catch (thrown) {
    fail(thrown, request, reply)
    return
  }
  sendResult(result, reply)
}

function fail(error: unknown, request: Request, reply: Reply): void {
  reply[kReplyIsError] = true
  request[kRoute].line.tracing?.onError(reply, error as Failure)
  reply.send(error)
}
