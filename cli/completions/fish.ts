import type { Command } from '../command.ts'
import { choicesOf, flagsOf, isPath, quoted } from './words.ts'

export function fish(commands: readonly Command[]): string {
  const lines = commands.map(
    ({ name, summary }) =>
      `complete -c framework -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  )
  return [
    '# framework completions fish | source',
    'complete -c framework -f',
    ...lines,
    `complete -c framework -n __fish_use_subcommand -a help -d 'print the help text'`,
    ...commands.flatMap(linesOf),
  ].join('\n')
}

function linesOf(command: Command): string[] {
  const when = `complete -c framework -n '__fish_seen_subcommand_from ${command.name}'`
  const flags = flagsOf(command).map(({ spellings, option }) => {
    const [long = '', short] = spellings
    const names = short === undefined ? '' : ` -s ${short.slice(1)}`
    const takes = option.type === 'boolean' ? '' : isPath(option) ? ' -r -F' : ' -x'
    const choices = option.choices ? ` -a ${quoted(option.choices.join(' '))}` : ''
    return `${when}${names} -l ${long.slice(2)}${takes}${choices} -d ${quoted(option.summary)}`
  })
  const places = command.takes.flatMap((argument) => {
    const choices = choicesOf(argument)
    if (choices === 'anything') return []
    return choices === 'files' ? [`${when} -F`] : [`${when} -a ${quoted(choices.join(' '))}`]
  })
  return [...flags, ...places]
}
