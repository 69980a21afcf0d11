import { createAsyncResource } from '../../platform/index.ts'
import { guard, resume } from '../guard.ts'
import { runFromValidation } from '../handler.ts'
import { isThenable } from '../hook-runners.ts'
import type { Reply, Request } from '../model.ts'
import { failBody, payloadOf, readBody, toBadRequest } from './read.ts'
import type { BodyDone, Parser } from '../content-type-parsers.ts'
import { onUnreadFailure } from '../streams.ts'
import { kRoute } from '../symbols.ts'

/** Parses the body with the parser of its content type, then continues with the validation. */
export function runParser(contentType: string, request: Request, reply: Reply): void {
  const parser = request[kRoute].parsers.find(contentType)
  if (parser === undefined) {
    if (request.is404) runFromValidation(request, reply)
    else reply.send(request[kRoute].line.createMediaTypeError(contentType))
    return
  }
  let resource: ReturnType<typeof createAsyncResource> | undefined
  let isDone = false
  let hasFailed = false
  const done: BodyDone = (error, body) => {
    if (hasFailed) return
    isDone = true
    if (resource === undefined) resume(goOn, error, request, reply, body)
    else {
      resource.runInAsyncScope(resume, undefined, goOn, error, request, reply, body)
      resource.emitDestroy()
    }
  }
  const parse = (body: unknown): void => {
    callParser(parser, request, body, done)
    if (!isDone) keepContext()
  }
  const failUnread = (error: unknown): void => {
    if (isDone) return
    done(toBadRequest(error))
    hasFailed = true
  }
  // The events of the body, and parsers that call back later, run in another async context than the request.
  const keepContext = (): void => {
    resource ??= createAsyncResource('content-type-parser:run')
  }
  if (parser.asString || parser.asBuffer) {
    const { takesAnyBodyError } = request[kRoute].line
    const fail = takesAnyBodyError ? done : (error: Error): void => failBody(reply, error)
    if (!readBody(request, reply, parser, parse, fail)) keepContext()
  } else {
    keepContext()
    const payload = payloadOf(request)
    // A parser that pipes the stream somewhere may never notice that it fails.
    onUnreadFailure(payload, (error) => guard(failUnread, error, request, reply))
    if (!isDone) parse(payload)
  }
}

function goOn(error: unknown, request: Request, reply: Reply, body: unknown): void {
  if (request[kRoute].line.takesAnyBodyError ? error !== null && error !== undefined : error) {
    failBody(reply, error)
  } else {
    request.body = body
    runFromValidation(request, reply)
  }
}

function callParser(parser: Parser, request: Request, body: unknown, done: BodyDone): void {
  let result
  try {
    result = parser.parse(request, body, done)
  } catch (error) {
    if (!request[kRoute].line.sendsThrown) throw error
    done(error)
    return
  }
  if (isThenable(result)) result.then((parsed) => done(null, parsed), done)
}
