/** The shape of a command: its help, completions and parsing all follow from one object. */
import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { Outcome, Output } from './output.ts'

export interface Option {
  readonly type: 'boolean' | 'string'
  /** A single letter. */
  readonly short?: string
  readonly multiple?: boolean
  /** The name that the option had before, which still works. */
  readonly formerly?: { readonly name: string; readonly short: string }
  /** Placeholder for the value in the help text: `dir`. */
  readonly value?: string
  /** Allowed values, if they are limited. */
  readonly choices?: readonly string[]
  readonly summary: string
}

/** Options by name, without dashes. */
export type Options = Readonly<Record<string, Option>>

/** A positional argument. */
export interface Argument {
  readonly name: string
  readonly isOptional?: boolean
  /** Shape of an optional argument that others may follow. If the word doesn't match, the argument counts as omitted. */
  readonly pattern?: RegExp
  /** Allowed values, if they are limited. */
  readonly choices?: readonly string[]
  readonly summary: string
}

export type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O & ParseArgsConfig['options']; strict: true }>
>['values']

/** A parsed command line. */
export interface Call<O extends Options = Options> {
  readonly values: Values<O & typeof commonOptions>
  /** In the order of `Command.takes`. */
  readonly args: readonly (string | undefined)[]
  /** Arguments after `--`. */
  readonly rest: readonly string[]
  readonly output: Output
}

export interface Command<O extends Options = Options> {
  readonly name: string
  /** A phrase without a full stop. */
  readonly summary: string
  readonly takes: readonly Argument[]
  /** Describes the arguments after `--`, if the command accepts any. */
  readonly rest?: Argument
  readonly options: O
  /** Names of similar commands of other tools. */
  readonly otherNames?: readonly string[]
  /** @throws UsageError if the command line is wrong */
  run(call: Call<O>): Promise<Outcome>
}

/** An invalid command line. The exit code is 2. */
export class UsageError extends Error {}

/** Infers the types of the options for `run`. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command
}

/** Options that every command accepts. */
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

/** Returns all options of a command, its own first. */
export function optionsOf(command: Command): Options {
  return { ...command.options, ...commonOptions }
}

/** Formats an option: `-o, --out <dir>`. */
export function optionText(name: string, { short, value }: Option): string {
  const long = value === undefined ? `--${name}` : `--${name} <${value}>`
  return short === undefined ? long : `-${short}, ${long}`
}

/** Formats an argument: `<URL>`, `[entry]`. */
export function argumentText({ name, isOptional }: Argument): string {
  return isOptional ? `[${name}]` : `<${name}>`
}
