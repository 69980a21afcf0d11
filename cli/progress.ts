import type { Phase } from '../compiler/index.ts'

const DOING: Record<Phase, string> = {
  scan: 'reading the application',
  boot: 'booting the application',
  resolve: 'resolving references',
  emit: 'compiling schemas',
  bundle: 'bundling validators and serializers',
  join: 'bundling the application',
  write: 'writing',
  start: 'starting the deployment',
}

/** Shows the current phase of a command. */
export interface Progress {
  /** @param slow name of the item that takes long */
  show(phase: Phase, slow?: string): void
  clear(): void
}

const ELLIPSIS = ' ...'

/** Rewrites one line on a terminal. Elsewhere it prints a line for each slow step. */
export function createProgress(): Progress {
  const { stderr } = process
  if (!stderr.isTTY) {
    return {
      show(phase, slow) {
        if (slow !== undefined) stderr.write(`${textOf(phase, slow)}\n`)
      },
      clear: () => undefined,
    }
  }
  const erase = '\r\u001B[2K'
  return {
    show: (phase, slow) => {
      // Only a single line can be erased. Some terminals don't report their width.
      const room = Math.max((stderr.columns || Infinity) - ELLIPSIS.length - 1, 0)
      stderr.write(`${erase}${textOf(phase, slow).slice(0, room)}${ELLIPSIS}`)
    },
    clear: () => stderr.write(erase),
  }
}

/** Names the slow item last, because the end of the line may be cut. */
function textOf(phase: Phase, slow: string | undefined): string {
  return slow === undefined ? DOING[phase] : `${DOING[phase]} takes long: ${slow}`
}
