/** What the scripts of all shells say about options. */
import type { Argument, Command, Option } from '../command.ts'
import { optionsOf } from '../command.ts'

/** Every way to write an option of a command, with what it takes. */
export interface Flag {
  /** `--out` and `-o`. */
  readonly spellings: readonly string[]
  readonly option: Option
}

export function flagsOf(command: Command): Flag[] {
  return Object.entries(optionsOf(command)).map(([name, option]) => ({
    spellings: option.short === undefined ? [`--${name}`] : [`--${name}`, `-${option.short}`],
    option,
  }))
}

/** Whether files are to be completed. */
export function isPath({ value }: Option): boolean {
  return value === 'dir' || value === 'file' || value === 'path'
}

/** What is no list is a file: the entry. */
export function choicesOf({ name, choices }: Argument): readonly string[] | 'files' | 'anything' {
  return choices ?? (name === 'entry' ? 'files' : 'anything')
}

/** In single quotes, which all three shells understand. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
