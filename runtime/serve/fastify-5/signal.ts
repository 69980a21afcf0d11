/** The `signal` of requests, and the time limit of their route, which aborts it. */
import type { Request } from '../model.ts'
import { incomingOf } from '../exchange.ts'
import { onAbort } from '../on-abort.ts'
import { kRawReply } from '../symbols.ts'

interface SignalState {
  readonly controller: AbortController
  timer: NodeJS.Timeout | undefined
  isReleased: boolean
}

const states = new WeakMap<Request, SignalState>()

/** Returns the state of the request's signal, and creates it first if necessary. */
export function signalStateOf(request: Request): SignalState {
  const present = states.get(request)
  if (present !== undefined) return present
  const controller = new AbortController()
  const state: SignalState = { controller, timer: undefined, isReleased: false }
  const { raw, [kRawReply]: response } = request
  onAbort(raw, response, () => {
    if (state.isReleased) return
    controller.abort()
    clearTimeout(state.timer)
  })
  // A client that has left already causes no more events. HTTP/2 calls the response finished then.
  const isUnanswered = response?.writableFinished !== true
  if (raw.aborted || (isUnanswered && incomingOf(raw).isCutOff(raw))) controller.abort()
  states.set(request, state)
  return state
}

/** Ends the time limit, and leaves the signal as it is: the reply was sent or hijacked. */
export function releaseSignal(request: Request): void {
  const state = states.get(request)
  if (state === undefined) return
  clearTimeout(state.timer)
  state.isReleased = true
}
