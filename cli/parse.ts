/** Parses command lines, and suggests corrections. */
import { parseArgs } from 'node:util'
import { closest } from '../compiler/report/closest.ts'
import type { Argument, Call, Command, Options } from './command.ts'
import { optionsOf, argumentText, UsageError } from './command.ts'

export function findCommand(commands: readonly Command[], name: string): Command {
  const found = commands.find((one) => one.name === name)
  if (found !== undefined) return found
  const byOtherName = commands.filter(({ otherNames }) => otherNames?.includes(name))
  const similar =
    byOtherName.length > 0
      ? byOtherName.map((one) => one.name)
      : closest(name, [...commands.map((one) => one.name), '--help', '--version'])
  throw usageError(`There is no command "${name}".${suggestion(similar)}`)
}

/**
 * Parses the arguments after a command's name.
 *
 * @throws UsageError
 */
export function parseCall(
  command: Command,
  argv: readonly string[],
): Omit<Call, 'output'> & { readonly notes: readonly string[] } {
  const options = optionsOf(command)
  const end = command.rest === undefined ? -1 : argv.indexOf('--')
  const parsed = end === -1 ? argv : argv.slice(0, end)
  const rest = end === -1 ? [] : argv.slice(end + 1)
  const notes: string[] = []
  const { values, positionals } = parse()
  readFormerNames()
  const words = [...positionals]
  const args = command.takes.map((one) => (accepts(one, words[0]) ? words.shift() : undefined))
  if (values['help'] !== true) check(words[0])
  return { values: values as Call['values'], args, rest, notes }

  function parse() {
    try {
      return parseArgs({
        args: [...parsed],
        strict: true,
        allowPositionals: true,
        options: { ...options, ...formerOptions(options) },
      })
    } catch (error) {
      const { message } = error as Error
      // After its first sentence, Node's message explains arguments that start with a dash.
      const [sentence = ''] = message.split('. ')
      const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? []
      const replacement = outOptions[unknown?.slice(2).toLowerCase() ?? '']
      if (replacement !== undefined && replacement in options) {
        throw usageError(`There is no \`${unknown}\`. Use \`--${replacement}\` instead.`, command)
      }
      const similar = unknown === undefined ? [] : closest(unknown, namesOf(options))
      throw usageError(`${sentence.replace(/\.$/, '')}.${suggestion(similar)}`, command)
    }
  }

  function readFormerNames(): void {
    for (const [option, { formerly }] of Object.entries(options)) {
      const value = formerly && values[formerly.name]
      if (formerly === undefined || value === undefined) continue
      values[option] ??= value
      delete values[formerly.name]
      notes.push(`\`--${formerly.name}\` is called \`--${option}\` here.`)
    }
  }

  /** @param extra the first argument that the command doesn't accept, if any */
  function check(extra: string | undefined): void {
    const { takes, name } = command
    const start = `framework ${name}`
    takes.forEach((argument, index) => {
      const value = args[index]
      const { isOptional, choices } = argument
      if (value === undefined && !isOptional) {
        throw usageError(
          `\`${start}\` needs ${argumentText(argument)}: ${argument.summary}.`,
          command,
        )
      }
      checkChoice(`${argumentText(argument)} is`, choices, value)
    })
    if (extra !== undefined) {
      const all = [start, ...takes.map(argumentText)].join(' ')
      throw usageError(`\`${all}\` doesn't accept "${extra}".`, command)
    }
    for (const [option, { choices }] of Object.entries(options)) {
      checkChoice(`\`--${option}\` takes`, choices, values[option])
    }
  }

  function checkChoice(what: string, choices: readonly string[] | undefined, value: unknown): void {
    if (choices === undefined || typeof value !== 'string' || choices.includes(value)) return
    const similar = suggestion(closest(value, choices))
    throw usageError(`${what} ${choices.join(', ')}, not "${value}".${similar}`, command)
  }
}

/** Names that other tools have for `--out`. */
const outOptions: Readonly<Record<string, string>> = { outdir: 'out', output: 'out', dist: 'out' }

function accepts({ pattern }: Argument, word: string | undefined): boolean {
  return word !== undefined && pattern?.test(word) !== false
}

function formerOptions(options: Options): Options {
  return Object.fromEntries(
    Object.values(options).flatMap(({ formerly, ...option }) =>
      formerly === undefined ? [] : [[formerly.name, { ...option, short: formerly.short }]],
    ),
  )
}

function namesOf(options: ReturnType<typeof optionsOf>): string[] {
  return Object.keys(options).map((name) => `--${name}`)
}

function suggestion(names: readonly string[]): string {
  return names.length === 0 ? '' : ` Did you mean ${names.map((one) => `"${one}"`).join(' or ')}?`
}

/** A usage error that points to the help text. */
export function usageError(message: string, command?: Pick<Command, 'name'>): UsageError {
  const help = ['framework', command?.name, '--help'].filter(Boolean).join(' ')
  return new UsageError(`${message} Run "${help}" for help.`)
}
