/** Facts about options that the scripts of all shells need. */
import type { Argument, Command, Option } from '../command.ts'
import { optionsOf } from '../command.ts'

/** An option with all of its spellings. */
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

/** Returns whether the option's value is completed with file names. */
export function isPath({ value }: Option): boolean {
  return value === 'dir' || value === 'file' || value === 'path'
}

/** Returns what to complete for an argument. The entry is a file. */
export function choicesOf({ name, choices }: Argument): readonly string[] | 'files' | 'anything' {
  return choices ?? (name === 'entry' ? 'files' : 'anything')
}

/** Quotes with single quotes, which all three shells understand. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
