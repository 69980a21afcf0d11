/** Notices that the package manager that has started this process is gone: npm ends itself and its shell, and leaves what these run. */

/** What is said then. */
export const STARTER_ENDED = 'what started this has ended: so does this'

/** How often to look, in ms. */
const PAUSE = 500

/** Calls `then` when the process that started this one has ended, if that was a package manager. Returns what stops it. */
export function whenStarterEnds(then: () => void): () => void {
  // Whoever starts the command otherwise may mean it to outlive the shell.
  if (process.env['npm_config_user_agent'] === undefined) return () => undefined
  const starter = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(timer)
    then()
  }, PAUSE)
  timer.unref()
  return () => clearInterval(timer)
}
