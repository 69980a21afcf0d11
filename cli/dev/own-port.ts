/** Warns if an application listens at another port than that of `--port`. */

/** How long to wait for a further port, in ms. */
const PATIENCE = 1_000

export interface PortWatch {
  /** Call for the first port. */
  listening(port: number | undefined): void
  /** Call for each further port. */
  add(port: number | undefined): void
  stop(): void
}

/** @param requested value of `--port` */
export function watchPort(requested: string | undefined, warn: (text: string) => void): PortWatch {
  let timer: NodeJS.Timeout | undefined
  let hasWarned = false
  const stop = (): void => clearTimeout(timer)
  const isRequested = (port: number | undefined): boolean => port === Number(requested)
  return {
    listening(port) {
      stop()
      // Port 0 allows any port. Warn only once.
      if (requested === undefined || Number(requested) === 0 || isRequested(port) || hasWarned)
        return
      timer = setTimeout(() => {
        hasWarned = true
        const where = port === undefined ? 'elsewhere' : `at port ${port}`
        warn(
          `listens ${where}, and not at ${requested}: \`--port\` sets PORT, which the application does not read. Let it listen at \`Number(process.env.PORT)\``,
        )
      }, PATIENCE)
    },
    add(port) {
      if (isRequested(port)) stop()
    },
    stop,
  }
}
