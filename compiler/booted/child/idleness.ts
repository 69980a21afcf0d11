/** Notices that a sandboxed application waits for something that doesn't come, such as a database. */
import process from 'node:process'

/** An application that uses less CPU time than `minCpu` in `limit` is idle. In ms. */
const limit = 3000
const minCpu = 20
const interval = 250

/** Calls `onIdle` once, with a description. It doesn't keep the process alive. */
export function watchIdleness(onIdle: (reason: string) => void): void {
  // The application may replace them.
  const { now } = performance
  const { cpuUsage } = process
  const cpu = (): number => {
    const { user, system } = cpuUsage.call(process)
    return (user + system) / 1000
  }
  const time = now.bind(performance)
  let active = { time: time(), cpu: cpu() }
  let lastCheck = active.time
  const timer = setInterval(() => {
    const current = { time: time(), cpu: cpu() }
    // A late check means that the thread was busy, or waited for the scan.
    const isLate = current.time - lastCheck >= 2 * interval
    lastCheck = current.time
    if (isLate || current.cpu - active.cpu >= minCpu) active = current
    else if (current.time - active.time >= limit) {
      clearInterval(timer)
      onIdle(`doing nothing for ${limit / 1000} seconds`)
    }
  }, interval).unref()
}
