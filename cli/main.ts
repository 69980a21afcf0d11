#!/usr/bin/env node
import type { ParseArgsConfig } from 'node:util'
import { parseArgs } from 'node:util'
import { VERSION } from '../runtime/artifact/version.ts'
import { helpText } from './help.ts'

async function main(argv: readonly string[]): Promise<number> {
  const [command, ...args] = argv
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
    console.log(helpText())
    return command === undefined ? 2 : 0
  }
  if (command === '--version' || command === '-v') {
    console.log(VERSION)
    return 0
  }
  if (command === 'build') return run(args, 'build', buildFlags, runBuild)
  if (command === 'deploy') return run(args, 'deploy', deployFlags, runDeploy)
  return refuse(`There is no command "${command}".`)
}

const commonFlags = {
  out: { type: 'string', short: 'o' },
  'allow-dynamic': { type: 'boolean', default: false },
  trace: { type: 'boolean', default: false },
  'strict-eval': { type: 'boolean', default: false },
  'boot-timeout': { type: 'string', default: '30' },
  'no-cache': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const buildFlags = { ...commonFlags, verify: { type: 'boolean', default: false } } as const

const deployFlags = {
  ...commonFlags,
  target: { type: 'string', short: 't' },
  external: { type: 'string', multiple: true },
  include: { type: 'string', multiple: true },
  with: { type: 'string', multiple: true },
} as const

/** What a flag may be given as. */
type Given<Flags extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ options: Flags; strict: true; allowPositionals: true }>
>['values']

type CommonValues = Given<typeof commonFlags>

async function run<Flags extends typeof commonFlags>(
  args: string[],
  command: string,
  options: Flags,
  execute: (entry: string, values: Given<Flags>) => Promise<number>,
): Promise<number> {
  let parsed
  try {
    parsed = parseArgs({ args, strict: true, allowPositionals: true, options })
  } catch (error) {
    // Behind the first sentence Node goes on about arguments that begin with a dash.
    const [sentence = ''] = (error as Error).message.split('. ')
    return refuse(`${sentence}.`)
  }
  const { positionals } = parsed
  const values = parsed.values as Given<Flags> & CommonValues
  if (values.help) {
    console.log(helpText())
    return 0
  }
  const [entry, ...rest] = positionals
  if (entry === undefined) return refuse(`\`framework ${command}\` needs the entry file.`)
  if (rest.length > 0)
    return refuse(`\`framework ${command}\` takes one entry file, not ${positionals.length}.`)
  if (!(secondsOf(values) > 0)) return refuse('`--boot-timeout` takes a number of seconds.')
  return execute(entry, values)
}

function secondsOf(values: CommonValues): number {
  return Number(values['boot-timeout'])
}

function optionsOf(entry: string, values: CommonValues) {
  return {
    entry,
    allowDynamic: values['allow-dynamic'],
    trace: values.trace,
    strictEval: values['strict-eval'],
    bootTimeout: secondsOf(values) * 1000,
    cache: !values['no-cache'],
  }
}

async function runBuild(entry: string, values: Given<typeof buildFlags>): Promise<number> {
  // The compiler takes a third of a second to load: not for a help text.
  const { build } = await import('./build.ts')
  const { out, verify, json } = values
  return build({ ...optionsOf(entry, values), out, verify }, { json })
}

async function runDeploy(entry: string, values: Given<typeof deployFlags>): Promise<number> {
  const { deploy, targets } = await import('./deploy.ts')
  const { out, external, include, json, with: wanted } = values
  const target = targets.find((one) => one === values.target)
  if (target === undefined) {
    const given =
      values.target === undefined ? 'Say for what' : `There is no target "${values.target}"`
    return refuse(`${given}: \`--target\` takes ${targets.join(', ')}.`)
  }
  const options = { ...optionsOf(entry, values), target, out, external, include, with: wanted }
  return deploy(options, { json })
}

function refuse(message: string): number {
  console.error(`${message} Run "framework --help" to see what there is.`)
  return 2
}

/** Exit codes: 0 done, 1 the application has problems, 2 the command line is wrong. */
process.exitCode = await main(process.argv.slice(2))
