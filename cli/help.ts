import { VERSION } from '../runtime/artifact/version.ts'
import type { Argument, Command, Options } from './command.ts'
import { commonOptions, argumentText, optionText } from './command.ts'
import type { Paint } from './terminal.ts'

/** Help text of `framework`. */
export function helpText(commands: readonly Command[], paint: Paint): string {
  const sections = [
    `framework ${VERSION} compiles an application's schemas ahead of time.`,
    `${paint('bold', 'Usage')}\n  framework <command> [options]`,
    listOf(
      commands.map((one) => [usageOf(one), one.summary]),
      paint,
      'Commands',
    ),
    listOf(rowsOf(commonOptions), paint, 'Options of every command'),
    `${paint('bold', 'Begin with')}\n  framework build app.js\n  node --import ./.framework/register.js app.js`,
  ]
  return sections.join('\n\n')
}

/** Help text of one command. */
export function commandHelp(command: Command, paint: Paint): string {
  const { name, summary, takes, rest, options } = command
  const usage = [usageOf(command), '[options]', ...(rest ? [restOf(rest)] : [])]
  const rows = takes.map((one) => [argumentText(one), one.summary] as const)
  if (rest) rows.push([restOf(rest), rest.summary])
  const sections = [
    `framework ${name}: ${summary}.`,
    `${paint('bold', 'Usage')}\n  framework ${usage.join(' ')}`,
    listOf(rows, paint),
    listOf(rowsOf(options), paint, 'Options'),
    listOf(rowsOf(commonOptions), paint, 'Options of every command'),
  ]
  return sections.filter(Boolean).join('\n\n')
}

function usageOf({ name, takes }: Command): string {
  return [name, ...takes.map(argumentText)].join(' ')
}

function restOf({ name }: Argument): string {
  return `[-- <${name}>…]`
}

type Row = readonly [name: string, text: string]

function rowsOf(options: Options): Row[] {
  return Object.entries(options).map(([name, option]) => [optionText(name, option), option.summary])
}

function listOf(rows: readonly Row[], paint: Paint, title?: string): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `  ${paint('cyan', name.padEnd(width))}   ${text}`)
  const head = title !== undefined && rows.length > 0 ? [paint('bold', title)] : []
  return [...head, ...lines].join('\n')
}
