#!/usr/bin/env node
import { VERSION } from '../runtime/artifact/version.ts'
import { UsageError } from './command.ts'
import { commands } from './commands/index.ts'
import { commandHelp, helpText } from './help.ts'
import { createOutput } from './output.ts'
import { findCommand, parseCall } from './parse.ts'
import { paintFor } from './terminal.ts'
import { enableCompileCache, optimizeLess } from './v8.ts'

enableCompileCache()
optimizeLess()

async function main([first, ...argv]: readonly string[]): Promise<number> {
  const paint = paintFor(process.stdout)
  if (first === undefined || first === '--help' || first === '-h') {
    console.log(helpText(commands, paint))
    return first === undefined ? 2 : 0
  }
  if (first === '--version' || first === '-v') {
    console.log(VERSION)
    return 0
  }
  if (first === 'help') {
    const [name] = argv
    console.log(
      name === undefined
        ? helpText(commands, paint)
        : commandHelp(findCommand(commands, name), paint),
    )
    return 0
  }
  const command = findCommand(commands, first)
  const { values, args, rest, notes } = parseCall(command, argv)
  if (values.help) {
    console.log(commandHelp(command, paint))
    return 0
  }
  const output = createOutput(values)
  if (!output.quiet) for (const note of notes) console.error(note)
  return output.print(command.name, await command.run({ values, args, rest, output }))
}

// Programs such as `head` close the pipe before the output ends.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/** Exit codes: 0 for success, 1 for problems, 2 for a wrong command line. */
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
