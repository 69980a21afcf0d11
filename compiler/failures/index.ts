/** What development says of an application that does not start: the place in its source, what is wrong there, and what to do. */
import { registerExplainer } from '../../runtime/artifact/registry.ts'
import { explainBy, takeUnshown } from './explained.ts'
import { forgetLogged, showLogged } from './logged.ts'
import { rememberRegistrations } from './registrations.ts'
import { lateText, waitText } from './waits.ts'
import type { ShowPlace } from './uncaught.ts'
import { uncaughtText } from './uncaught.ts'

export type { ShowPlace } from './uncaught.ts'

/** What else is said of an error about schemas; `''` for nothing. `place` is that of the route, as `file:line:column`. */
export type Explain = (place: string | undefined) => string

/**
 * To be called before the application is made.
 *
 * @param show how the place of an error is shown that the application has logged and ended with
 */
export function explainFailures(explain: Explain = () => '', show?: ShowPlace): void {
  rememberRegistrations((late, after) => {
    const text = lateText(late, after)
    if (text !== undefined) process.stderr.write(`${text}\n\n`)
  })
  registerExplainer((error, place) => {
    explainBy(error, waitText(error) ?? explain(place))
  })
  showLogged(show)
}

/** Prints an error that nobody catches; not one that Node shows better. */
export function showUncaught(error: unknown, show?: ShowPlace): boolean {
  // Fastify itself asks for no explanation.
  if (error instanceof Error) explainBy(error, waitText(error))
  const text = uncaughtText(error, show)
  if (text !== undefined) process.stderr.write(text)
  takeUnshown()
  forgetLogged()
  return text !== undefined
}

/** Whether nobody in the application listens for errors that are not caught. */
export function isUncaught(): boolean {
  return (
    process.listenerCount('uncaughtException') === 0 &&
    !process.hasUncaughtExceptionCaptureCallback()
  )
}
