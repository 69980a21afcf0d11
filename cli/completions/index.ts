/** Shell completions, generated from the table of commands. */
import type { Command } from '../command.ts'
import { bash } from './bash.ts'
import { fish } from './fish.ts'
import { zsh } from './zsh.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

const scripts: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash,
  zsh,
  fish,
}

export const shells: readonly string[] = Object.keys(scripts)

export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return scripts[shell](commands)
}
