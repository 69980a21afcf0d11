/** Tells of an application that listens elsewhere than it was asked to: it has a port of its own. */

/** How long it may take to listen at one more port, in ms. */
const PATIENCE = 1_000

export interface PortWatch {
  /** It has begun to listen, at this port first. */
  listening(port: number | undefined): void
  /** It listens at one more. */
  add(port: number | undefined): void
  stop(): void
}

/** @param asked what `--port` says */
export function watchPort(asked: string | undefined, tell: (text: string) => void): PortWatch {
  let timer: NodeJS.Timeout | undefined
  let hasTold = false
  const stop = (): void => clearTimeout(timer)
  const isAsked = (port: number | undefined): boolean => port === Number(asked)
  return {
    listening(port) {
      stop()
      // Any port is right for 0, and once is enough.
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
