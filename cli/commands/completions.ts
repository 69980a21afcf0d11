import type { Command } from '../command.ts'
import { defineCommand } from '../command.ts'
import { shells } from '../completions.ts'

const names = Object.keys(shells)

/** @param table returns all commands, including this one */
export function completionsOf(table: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completions',
    summary: 'print what makes a shell complete commands and options',
    takes: [{ name: 'shell', choices: names, summary: names.join(', ') }],
    options: {},
    run: async ({ args: [shell = ''] }) => {
      const script = shells[shell]?.(table())
      return { ok: true, result: { shell, script }, answer: script ?? '' }
    },
  })
}
