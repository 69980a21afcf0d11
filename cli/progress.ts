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

/** One line that is written over on a terminal, one line per step elsewhere. */
export function createProgress(): Progress {
  const { stderr } = process
  const textOf = (phase: Phase, slow: string | undefined): string =>
    slow === undefined ? DOING[phase] : `${DOING[phase]}: ${slow} takes long`
  if (!stderr.isTTY) {
    return {
      show: (phase, slow) => stderr.write(`${textOf(phase, slow)}\n`),
      clear: () => undefined,
    }
  }
  const erase = '\r\u001B[2K'
  return {
    show: (phase, slow) => stderr.write(`${erase}${textOf(phase, slow)} ...`),
    clear: () => stderr.write(erase),
  }
}
