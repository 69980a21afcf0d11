import type { Command } from '../command.ts'
import { defineCommand } from '../command.ts'
import type { Shell } from '../completions/index.ts'
import { completionScript, shells } from '../completions/index.ts'

/** @param table returns all commands, including this one */
export function completionsOf(table: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completions',
    summary: 'print what makes a shell complete commands and options',
    takes: [{ name: 'shell', choices: shells, summary: shells.join(', ') }],
    options: {},
    run: async ({ args: [given] }) => {
      const shell = given as Shell
      const script = completionScript(shell, table())
      return { ok: true, result: { shell, script }, answer: script }
    },
  })
}
