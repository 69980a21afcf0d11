import type { Command } from '../command.ts'
import { defineCommand } from '../command.ts'
import { complete, shells } from '../completions.ts'

const names = Object.keys(shells)

/** @param table returns all commands, including this one */
export function completionsOf(table: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completions',
    summary: 'print a script that makes a shell complete commands and options',
    takes: [{ name: 'shell', choices: names, summary: names.join(', ') }],
    rest: {
      name: 'word',
      summary: 'print suggestions for the last word, which is how the script calls this command',
    },
    options: {},
    run: async ({ args: [shell = ''], rest }) => {
      const { script = '', lineOf } = shells[shell] ?? {}
      if (rest.length === 0) return { ok: true, result: { shell, script }, answer: script }
      const suggestions = complete(table(), rest)
      const answer = suggestions.map((one) => lineOf?.(one)).join('\n')
      return { ok: true, result: { shell, suggestions }, answer }
    },
  })
}
