import type { Phase } from '../compiler/index.ts'

const DOING: Record<Phase, string> = {
  scan: 'reading the application',
  boot: 'booting the application',
  resolve: 'resolving references',
  emit: 'compiling schemas',
  bundle: 'bundling validators and serializers',
  join: 'bundling the application',
  write: 'writing',
  start: 'starting the deployment once',
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
      stderr.write(`${erase}${fitted(phase, slow, room)}${ELLIPSIS}`)
    },
    clear: () => stderr.write(erase),
  }
}

function textOf(phase: Phase, slow: string | undefined): string {
  return slow === undefined ? DOING[phase] : `${DOING[phase]}: ${slow} takes long`
}

/** Shortens the text to `room`: the slow item's name first. */
function fitted(phase: Phase, slow: string | undefined, room: number): string {
  const text = textOf(phase, slow)
  const nameLength = (slow?.length ?? 0) - (text.length - room) - 1
  if (slow === undefined || nameLength < 1 || text.length <= room) return text.slice(0, room)
  return textOf(phase, `${slow.slice(0, nameLength)}…`)
}
