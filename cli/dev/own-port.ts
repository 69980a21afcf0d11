/** Warns if an application listens at a different port than `--port` asked for. */

/** How long to wait for a further port, in ms. */
const PATIENCE = 1_000

export interface PortWatch {
  /** Call for the first port. */
  listening(port: number | undefined): void
  /** Call for each further port. */
  add(port: number | undefined): void
  stop(): void
}

/** @param asked value of `--port` */
export function watchPort(asked: string | undefined, tell: (text: string) => void): PortWatch {
  let timer: NodeJS.Timeout | undefined
  let hasTold = false
  const stop = (): void => clearTimeout(timer)
  const isAsked = (port: number | undefined): boolean => port === Number(asked)
  return {
    listening(port) {
      stop()
      // Port 0 allows any port. Warn only once.
      if (asked === undefined || Number(asked) === 0 || isAsked(port) || hasTold) return
      timer = setTimeout(() => {
        hasTold = true
        const where = port === undefined ? 'elsewhere' : `at port ${port}`
        tell(
          `listens ${where}, and not at ${asked}: \`--port\` sets PORT, which the application does not read. Let it listen at \`Number(process.env.PORT)\``,
        )
      }, PATIENCE)
    },
    add(port) {
      if (isAsked(port)) stop()
    },
    stop,
  }
}
