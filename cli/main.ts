#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { VERSION } from '../runtime/artifact/version.ts'
import { helpText } from './help.ts'

/** Exit codes: 0 done, 1 the application has problems, 2 the command line is wrong. */
process.exitCode = await main(process.argv.slice(2))

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
  if (command !== 'build') return refuse(`There is no command "${command}".`)
  return runBuild(args)
}

async function runBuild(args: string[]): Promise<number> {
  let parsed
  try {
    parsed = parseArgs({
      args,
      strict: true,
      allowPositionals: true,
      options: {
        out: { type: 'string', short: 'o' },
        'allow-dynamic': { type: 'boolean', default: false },
        trace: { type: 'boolean', default: false },
        verify: { type: 'boolean', default: false },
        'strict-eval': { type: 'boolean', default: false },
        'boot-timeout': { type: 'string', default: '30' },
        'no-cache': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    // Behind the first sentence Node goes on about arguments that begin with a dash.
    const [sentence = ''] = (error as Error).message.split('. ')
    return refuse(`${sentence}.`)
  }
  const { values, positionals } = parsed
  if (values.help) {
    console.log(helpText())
    return 0
  }
  const [entry, ...rest] = positionals
  if (entry === undefined) return refuse('`framework build` needs the entry file.')
  if (rest.length > 0)
    return refuse(`\`framework build\` takes one entry file, not ${positionals.length}.`)
  const seconds = Number(values['boot-timeout'])
  if (!(seconds > 0)) return refuse('`--boot-timeout` takes a number of seconds.')
  // The compiler takes a third of a second to load: not for a help text.
  const { build } = await import('./build.ts')
  const options = {
    entry,
    out: values.out,
    allowDynamic: values['allow-dynamic'],
    trace: values.trace,
    verify: values.verify,
    strictEval: values['strict-eval'],
    bootTimeout: seconds * 1000,
    cache: !values['no-cache'],
  }
  return build(options, { json: values.json })
}

function refuse(message: string): number {
  console.error(`${message} Run "framework --help" to see what there is.`)
  return 2
}
