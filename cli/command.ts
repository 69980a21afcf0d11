/** What a command is: everything that is said of it, and what runs it, come from one object. */
import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { Outcome, Output } from './output.ts'

/** An option of a command. */
export interface Option {
  readonly type: 'boolean' | 'string'
  /** One letter. */
  readonly short?: string
  readonly multiple?: boolean
  /** What it takes, as the help text names it: `dir`. */
  readonly value?: string
  /** All that it may take, when there is a list. */
  readonly choices?: readonly string[]
  readonly summary: string
}

/** Options by name, without dashes. */
export type Options = Readonly<Record<string, Option>>

/** What stands on a command line without a dash. */
export interface Argument {
  readonly name: string
  readonly isOptional?: boolean
  /** What it looks like: of an optional one that others follow, as it is left out where something else stands. */
  readonly pattern?: RegExp
  /** All that it may be, when there is a list. */
  readonly choices?: readonly string[]
  readonly summary: string
}

/** The options as they were given. */
export type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O & ParseArgsConfig['options']; strict: true }>
>['values']

/** A command line that was understood. */
export interface Call<O extends Options = Options> {
  readonly values: Values<O & typeof commonOptions>
  /** In the order of `Command.takes`. */
  readonly args: readonly (string | undefined)[]
  /** What stands behind `--`. */
  readonly rest: readonly string[]
  readonly output: Output
}

export interface Command<O extends Options = Options> {
  readonly name: string
  /** What it does, as a phrase without a full stop. */
  readonly summary: string
  readonly takes: readonly Argument[]
  /** What it does with the arguments behind `--`, if it takes any. */
  readonly rest?: Argument
  readonly options: O
  /** Options of earlier releases, and which options to use instead. */
  readonly formerOptions?: Readonly<Record<string, string>>
  /** Throws a `UsageError` when the command line is wrong. */
  run(call: Call<O>): Promise<Outcome>
}

/** A command line that is wrong: the exit code is 2. */
export class UsageError extends Error {}

/** Keeps the types of the options for `run`. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command
}

/** What every command has. */
export const commonOptions = {
  json: { type: 'boolean', summary: 'print one JSON object on standard output' },
  quiet: { type: 'boolean', short: 'q', summary: 'print neither progress nor a report' },
  help: { type: 'boolean', short: 'h', summary: 'print what the command takes' },
} as const

export const entryArgument: Argument = {
  name: 'entry',
  isOptional: true,
  summary: 'the file that creates the application, or exports a factory function or a plugin',
}

/** The options of a command, its own first. */
export function optionsOf(command: Command): Options {
  return { ...command.options, ...commonOptions }
}

/** How an option is written: `-o, --out <dir>`. */
export function spellingOf(name: string, { short, value }: Option): string {
  const long = value === undefined ? `--${name}` : `--${name} <${value}>`
  return short === undefined ? long : `-${short}, ${long}`
}

/** How an argument is written: `<URL>`, `[entry]`. */
export function placeOf({ name, isOptional }: Argument): string {
  return isOptional ? `[${name}]` : `<${name}>`
}
