import type { Command } from '../command.ts'
import type { Flag } from './words.ts'
import { choicesOf, flagsOf, isPath, quoted } from './words.ts'

export function zsh(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => `    ${quoted(`${name}:${escaped(summary)}`)}`)
  return `#compdef framework
# source <(framework completions zsh)
_framework() {
  local -a commands
  commands=(
${rows.join('\n')}
    'help:print the help text'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe command commands ;;
${commands.map(caseOf).join('\n')}
  esac
}
if [ "$funcstack[1]" = "_framework" ]; then
  _framework "$@"
else
  compdef _framework framework
fi`
}

function caseOf(command: Command): string {
  const places = command.takes.map((argument, index) => {
    const choices = choicesOf(argument)
    const action =
      choices === 'files' ? '_files' : choices === 'anything' ? ' ' : `(${choices.join(' ')})`
    return quoted(`${index + 1}:${argument.name}:${action}`)
  })
  const specs = [...flagsOf(command).flatMap(specsOf), ...places]
  return `    ${command.name})\n      _arguments ${specs.join(' \\\n        ')} ;;`
}

/** Returns one specification per spelling; zsh offers only one of them. */
function specsOf({ spellings, option }: Flag): string[] {
  const action = isPath(option) ? '_files' : option.choices ? `(${option.choices.join(' ')})` : ' '
  const takes = option.type === 'boolean' ? '' : `:${option.value ?? 'value'}:${action}`
  return spellings.map((spelling) => {
    const once = option.multiple ? '*' : `(${spellings.join(' ')})`
    return quoted(`${once}${spelling}[${escaped(option.summary)}]${takes}`)
  })
}

function escaped(text: string): string {
  return text.replace(/[\\:[\]]/g, (sign) => `\\${sign}`)
}
