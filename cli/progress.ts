import type { Phase } from '../compiler/index.ts'

const DOING: Record<Phase, string> = {
  scan: 'reading the application',
  boot: 'booting the application',
  resolve: 'resolving references',
  emit: 'compiling schemas',
  bundle: 'bundling functions',
  join: 'bundling the application',
  write: 'writing',
  start: 'starting the deployment once',
}

/** Says what a command is doing. */
export interface Progress {
  /** @param slow what takes long */
  show(phase: Phase, slow?: string): void
  clear(): void
}

const ELLIPSIS = ' ...'

/** One line that is written over on a terminal; elsewhere a line for each thing that takes long. */
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
      // Only one line can be erased.
      const room = stderr.columns - ELLIPSIS.length - 1
      stderr.write(`${erase}${fitted(phase, slow, room)}${ELLIPSIS}`)
    },
    clear: () => stderr.write(erase),
  }
}

function textOf(phase: Phase, slow: string | undefined): string {
  return slow === undefined ? DOING[phase] : `${DOING[phase]}: ${slow} takes long`
}

/** Of what is too long, the name of what is slow is cut first. */
function fitted(phase: Phase, slow: string | undefined, room: number): string {
  const whole = textOf(phase, slow)
  // Some terminals do not say how wide they are.
  if (!(room > 0) || whole.length <= room) return whole
  const left = room - textOf(phase, '…').length
  const isNamed = slow !== undefined && left > 0
  return isNamed ? textOf(phase, `${slow.slice(0, left)}…`) : whole.slice(0, room)
}
