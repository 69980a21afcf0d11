import type { Command } from '../command.ts'
import { choicesOf, flagsOf, isPath, quoted } from './words.ts'

export function bash(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  return `# source <(framework completions bash)
_framework() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names} help --help --version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valuesOf).join('\n')}
  esac
  case "\${COMP_WORDS[1]} \${current:0:1}" in
${commands.map(optionsOf).join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
    help) words='${names}' ;;
${commands.flatMap(argumentsOf).join('\n')}
  esac
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _framework framework`
}

function valuesOf(command: Command): string[] {
  return flagsOf(command).flatMap(({ spellings, option }) => {
    if (option.type === 'boolean') return []
    const when = spellings.map((spelling) => quoted(`${command.name} ${spelling}`)).join('|')
    if (isPath(option)) return [`    ${when}) return ;;`]
    const words = option.choices?.join(' ') ?? ''
    return [`    ${when}) COMPREPLY=($(compgen -W '${words}' -- "$current")); return ;;`]
  })
}

function optionsOf(command: Command): string {
  const words = flagsOf(command).flatMap(({ spellings }) => spellings)
  return `    '${command.name} -') COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current")); return ;;`
}

/** Without words, the shell completes file names. */
function argumentsOf({ name, takes }: Command): string[] {
  const [first] = takes
  const choices = first === undefined ? 'anything' : choicesOf(first)
  return typeof choices === 'string' ? [] : [`    ${name}) words='${choices.join(' ')}' ;;`]
}
