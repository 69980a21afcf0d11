/** Completes command lines. Shells call `framework completions <shell> -- <word>…` when Tab is pressed. */
import type { Command } from './command.ts'
import { optionsOf } from './command.ts'

interface Shell {
  /** Registers the completion. Where this command prints nothing, the shell completes file names. */
  readonly script: string
  readonly lineOf: (suggestion: Suggestion) => string
}

interface Suggestion {
  readonly word: string
  readonly summary: string
}

export const shells: Readonly<Record<string, Shell>> = {
  bash: {
    script: `# source <(framework completions bash)
_framework() {
  local IFS=$'\\n' part words=() n=0
  # Bash splits words at an @, and replaces what follows it.
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((n > 0)) && [[ $part == @* || \${words[n-1]} == *@ ]]; then words[n-1]+=$part
    else words[n++]=$part; fi
  done
  COMPREPLY=($(framework completions bash -- "\${words[@]}" 2> /dev/null))
  if [[ \${words[n-1]} == *@* && $COMP_WORDBREAKS == *@* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#*@}")
  fi
}
complete -o default -F _framework framework`,
    lineOf: ({ word }) => word,
  },
  zsh: {
    script: `#compdef framework
# source <(framework completions zsh)
_framework() {
  local -a found
  found=("\${(@f)$(framework completions zsh -- "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ -n $found ]]; then _describe framework found; else _files; fi
}
if [ "$funcstack[1]" = "_framework" ]; then
  _framework "$@"
else
  compdef _framework framework
fi`,
    lineOf: ({ word, summary }) => `${word.replaceAll(':', String.raw`\:`)}:${summary}`,
  },
  fish: {
    script: `# framework completions fish | source
function __framework
  set -l found (framework completions fish -- (commandline -opc)[2..] (commandline -ct) 2> /dev/null)
  if test -n "$found"; printf '%s\\n' $found; else; __fish_complete_path (commandline -ct); end
end
complete -c framework -f -a '(__framework)'`,
    lineOf: ({ word, summary }) => `${word}\t${summary}`,
  },
}

/** Returns the suggestions for the last word. */
export function complete(
  commands: readonly Command[],
  words: readonly string[],
): readonly Suggestion[] {
  const current = words.at(-1) ?? ''
  return suggestionsFor(commands, words)
    .filter(({ word }) => word.startsWith(current))
    .map(({ word, summary }) => ({ word, summary }))
}

function suggestionsFor(
  commands: readonly Command[],
  words: readonly string[],
): readonly Suggestion[] {
  const [name] = words
  const named = commands.map((one) => ({ word: one.name, summary: one.summary }))
  if (words.length < 2) {
    return [
      ...named,
      { word: 'help', summary: 'print the help text' },
      { word: '--help', summary: 'print the help text' },
      { word: '--version', summary: 'print the version' },
    ]
  }
  if (name === 'help') return named
  const command = commands.find((one) => one.name === name)
  if (command === undefined) return []
  const flags = Object.entries(optionsOf(command)).flatMap(([long, { short, ...option }]) => [
    { ...option, word: `--${long}` },
    ...(short === undefined ? [] : [{ ...option, word: `-${short}` }]),
  ])
  const before = flags.find(({ word }) => word === words.at(-2))
  if (before?.type !== 'string' && words.at(-1)?.startsWith('-')) return flags
  const { choices = [], summary = '' } =
    before?.type === 'string' ? before : (command.takes[0] ?? {})
  return choices.map((word) => ({ word, summary }))
}
