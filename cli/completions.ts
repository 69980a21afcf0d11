/** Writes the scripts with which shells complete commands, options and their values. */
import type { Argument, Command, Option } from './command.ts'
import { optionsOf } from './command.ts'

/** Writers of completion scripts, by shell. */
export const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash,
  zsh,
  fish,
}

/** An option with all of its spellings. */
interface Flag {
  /** `--out` and `-o`. */
  readonly spellings: readonly string[]
  readonly option: Option
}

function flagsOf(command: Command): Flag[] {
  return Object.entries(optionsOf(command)).map(([name, option]) => ({
    spellings: option.short === undefined ? [`--${name}`] : [`--${name}`, `-${option.short}`],
    option,
  }))
}

/** Returns whether the option's value is completed with file names. */
function isPath({ value }: Option): boolean {
  return value === 'dir' || value === 'file' || value === 'path'
}

/** Returns what to complete for an argument. The entry is a file. */
function choicesOf({ name, choices }: Argument): readonly string[] | 'files' | 'anything' {
  return choices ?? (name === 'entry' ? 'files' : 'anything')
}

/** Quotes with single quotes, which all three shells understand. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function bash(commands: readonly Command[]): string {
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
${commands.flatMap(valueCases).join('\n')}
  esac
  case "\${COMP_WORDS[1]} \${current:0:1}" in
${commands.map(optionsCase).join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
    help) words='${names}' ;;
${commands.flatMap(argumentCases).join('\n')}
  esac
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _framework framework`
}

function valueCases(command: Command): string[] {
  return flagsOf(command).flatMap(({ spellings, option }) => {
    if (option.type === 'boolean') return []
    const when = spellings.map((spelling) => quoted(`${command.name} ${spelling}`)).join('|')
    if (isPath(option)) return [`    ${when}) return ;;`]
    const words = option.choices?.join(' ') ?? ''
    return [`    ${when}) COMPREPLY=($(compgen -W '${words}' -- "$current")); return ;;`]
  })
}

function optionsCase(command: Command): string {
  const words = flagsOf(command).flatMap(({ spellings }) => spellings)
  return `    '${command.name} -') COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current")); return ;;`
}

/** Without words, the shell completes file names. */
function argumentCases({ name, takes }: Command): string[] {
  const [first] = takes
  const choices = first === undefined ? 'anything' : choicesOf(first)
  return typeof choices === 'string' ? [] : [`    ${name}) words='${choices.join(' ')}' ;;`]
}

function zsh(commands: readonly Command[]): string {
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
${commands.map(zshCase).join('\n')}
  esac
}
if [ "$funcstack[1]" = "_framework" ]; then
  _framework "$@"
else
  compdef _framework framework
fi`
}

function zshCase(command: Command): string {
  const places = command.takes.map((argument, index) => {
    const choices = choicesOf(argument)
    const action =
      choices === 'files' ? '_files' : choices === 'anything' ? ' ' : `(${choices.join(' ')})`
    return quoted(`${index + 1}:${argument.name}:${action}`)
  })
  const specs = [...flagsOf(command).flatMap(zshSpecs), ...places]
  return `    ${command.name})\n      _arguments ${specs.join(' \\\n        ')} ;;`
}

/** Returns one specification per spelling; zsh offers only one of them. */
function zshSpecs({ spellings, option }: Flag): string[] {
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

function fish(commands: readonly Command[]): string {
  const lines = commands.map(
    ({ name, summary }) =>
      `complete -c framework -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  )
  return [
    '# framework completions fish | source',
    'complete -c framework -f',
    ...lines,
    `complete -c framework -n __fish_use_subcommand -a help -d 'print the help text'`,
    ...commands.flatMap(fishLines),
  ].join('\n')
}

function fishLines(command: Command): string[] {
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
