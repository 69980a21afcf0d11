import type { Command } from '../command.ts'
import { defineCommand } from '../command.ts'
import { bash } from '../completions/bash.ts'
import { fish } from '../completions/fish.ts'
import { zsh } from '../completions/zsh.ts'

/** Writers of completion scripts, by shell. */
const shells = { bash, zsh, fish }
const names = Object.keys(shells)

/** @param table returns all commands, including this one */
export function completionsOf(table: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completions',
    summary: 'print what makes a shell complete commands and options',
    takes: [{ name: 'shell', choices: names, summary: names.join(', ') }],
    options: {},
    run: async ({ args: [given] }) => {
      const shell = given as keyof typeof shells
      const script = shells[shell](table())
      return { ok: true, result: { shell, script }, answer: script }
    },
  })
}
