/** Explains why an application doesn't start in development: the place in its source, the cause and the next step. */
import { registerExplainer } from '../../../runtime/artifact/registry.ts'
import { forgetLogged, showLogged } from './logged.ts'
import { rememberRegistrations } from './registrations.ts'
import { lateText, waitText } from './waits.ts'
import { explainBy, takeUnshown, uncaughtText, type ShowPlace } from './uncaught.ts'

export type { ShowPlace } from './uncaught.ts'

/** Returns further explanation of a schema error, or `''`. `place` is the route's, as `file:line:column`. */
export type Explain = (place: string | undefined) => string

/**
 * Call it before the application is created.
 *
 * @param show formats the place of an error that the application logged before it exited
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

/** Prints an uncaught error, unless Node shows it better. */
export function showUncaught(error: unknown, show?: ShowPlace): boolean {
  // Fastify itself doesn't call the explainer.
  if (error instanceof Error) explainBy(error, waitText(error))
  const text = uncaughtText(error, show)
  if (text !== undefined) process.stderr.write(text)
  takeUnshown()
  forgetLogged()
  return text !== undefined
}

/** Returns whether the application has no listener for uncaught errors. */
export function isUncaught(): boolean {
  return (
    process.listenerCount('uncaughtException') === 0 &&
    !process.hasUncaughtExceptionCaptureCallback()
  )
}
