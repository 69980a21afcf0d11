import { VERSION } from '../runtime/artifact/version.ts'
import type { Argument, Command, Options } from './command.ts'
import { commonOptions, placeOf, spellingOf } from './command.ts'
import type { Paint } from './terminal.ts'

/** Help text of `framework`. */
export function helpText(commands: readonly Command[], paint: Paint): string {
  return `framework ${VERSION} compiles an application's schemas ahead of time.

${paint('bold', 'Usage')}
  framework <command> [options]

${paint('bold', 'Commands')}
${listOf(
  commands.map((one) => [usageOf(one), one.summary]),
  paint,
)}

${paint('bold', 'Options of every command')}
${listOf(rowsOf(commonOptions), paint)}

${paint('bold', 'Begin with')}
  framework build app.js
  node --import ./.framework/register.js app.js`
}

/** Help text of one command. */
export function commandHelp(command: Command, paint: Paint): string {
  const usage = [usageOf(command), '[options]']
  if (command.rest) usage.push(restOf(command.rest))
  const sections = [
    `framework ${command.name}: ${command.summary}.`,
    `${paint('bold', 'Usage')}\n  framework ${usage.join(' ')}`,
  ]
  const rows = command.takes.map((one) => [placeOf(one), one.summary] as const)
  if (command.rest) rows.push([restOf(command.rest), command.rest.summary])
  if (rows.length > 0) sections.push(listOf(rows, paint))
  const own = rowsOf(command.options)
  if (own.length > 0) sections.push(`${paint('bold', 'Options')}\n${listOf(own, paint)}`)
  sections.push(
    `${paint('bold', 'Options of every command')}\n${listOf(rowsOf(commonOptions), paint)}`,
  )
  return sections.join('\n\n')
}

function usageOf({ name, takes }: Command): string {
  return [name, ...takes.map(placeOf)].join(' ')
}

function restOf({ name }: Argument): string {
  return `[-- <${name}>…]`
}

type Row = readonly [name: string, text: string]

function rowsOf(options: Options): Row[] {
  return Object.entries(options).map(([name, option]) => [spellingOf(name, option), option.summary])
}

function listOf(rows: readonly Row[], paint: Paint): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${paint('cyan', name.padEnd(width))}   ${text}`).join('\n')
}
