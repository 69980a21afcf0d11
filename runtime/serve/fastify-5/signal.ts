import type { Request } from '../model.ts'
import { onAbort } from '../on-abort.ts'
import { kRawReply } from '../symbols.ts'

interface Limited {
  readonly controller: AbortController
  timer: NodeJS.Timeout | undefined
  isReleased: boolean
}

const known = new WeakMap<Request, Limited>()

/** Returns the controller of the request's signal, and its time limit. */
export function limitedOf(request: Request): Limited {
  const present = known.get(request)
  if (present !== undefined) return present
  const controller = new AbortController()
  const limited: Limited = { controller, timer: undefined, isReleased: false }
  onAbort(request.raw, request[kRawReply], () => {
    if (limited.isReleased) return
    controller.abort()
    clearTimeout(limited.timer)
  })
  known.set(request, limited)
  return limited
}

/** Ends the time limit: the reply was sent, or isn't the framework's any more. */
export function release(request: Request): void {
  const limited = known.get(request)
  if (limited === undefined) return
  clearTimeout(limited.timer)
  limited.isReleased = true
}
