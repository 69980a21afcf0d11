/** Detects that the package manager which started this process has ended. npm ends itself and its shell, but leaves their children running. */

export const PARENT_ENDED = 'the process that started this command has ended, so it ends as well'

/** Time between two checks, in ms. */
const CHECK_INTERVAL = 500

/** Calls `then` when the package manager that started this process has ended. Returns a function that stops checking. */
export function whenParentEnds(then: () => void): () => void {
  // A command started by anything else may be meant to outlive its shell.
  if (process.env['npm_config_user_agent'] === undefined) return () => undefined
  const starter = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(timer)
    then()
  }, CHECK_INTERVAL)
  timer.unref()
  return () => clearInterval(timer)
}
