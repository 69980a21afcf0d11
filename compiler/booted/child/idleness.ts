/** Notices that a sandboxed application waits for something that doesn't come, such as a database. */
import process from 'node:process'

/** An application that uses less CPU time than `minCpu` in `limit` is idle. In ms. */
const limit = 3000
const minCpu = 20
const interval = 250

/** Calls `onIdle` once, with a description. It doesn't keep the process alive. */
export function watchIdleness(onIdle: (reason: string) => void): void {
  const usage = (): { readonly time: number; readonly cpu: number } => {
    const { user, system } = process.cpuUsage()
    return { time: performance.now(), cpu: (user + system) / 1000 }
  }
  let active = usage()
  let last = active.time
  const timer = setInterval(() => {
    const current = usage()
    // A late check means that the thread was busy, or waited for the scan.
    const isLate = current.time - last >= 2 * interval
    last = current.time
    if (isLate || current.cpu - active.cpu >= minCpu) active = current
    else if (current.time - active.time >= limit) {
      clearInterval(timer)
      onIdle(`doing nothing for ${limit / 1000} seconds`)
    }
  }, interval).unref()
}
