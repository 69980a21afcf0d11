import { lines } from '../../runtime/artifact/lines.ts'
import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import type { Outcome } from '../output.ts'
import { lineOf, targetOption } from './target.ts'

const options = {
  target: {
    ...targetOption,
    summary: `what is to serve it: ${lines.join(', ')} (default: framework, or Fastify 5 where that is installed)`,
  },
  'dry-run': {
    type: 'boolean',
    short: 'n',
    summary: 'print what would change, and change nothing',
  },
  yes: { type: 'boolean', short: 'y', summary: 'do not ask' },
} as const

export const init: Command = defineCommand({
  name: 'init',
  summary: 'prepare a project: dependencies, scripts, .gitignore',
  takes: [entryArgument],
  options,
  run,
})

async function run({ values, args: [entry], output }: Call<typeof options>): Promise<Outcome> {
  const line = lineOf(values.target)
  const [{ planInit, carryOut }, text, { problemOutcome }] = await Promise.all([
    import('../../compiler/init/index.ts'),
    import('../text/init.ts'),
    import('../text/report.ts'),
  ])
  const folder = process.cwd()
  const plan = await planInit({ folder, entry, line })
  if ('code' in plan) return problemOutcome(plan, folder, output.paintError)
  const isDry = values['dry-run'] === true
  const isDone = plan.files.length === 0
  const told = text.resultOf(plan, !isDry && !isDone)
  const shown = text.planText(plan, output.paint)
  if (isDry) {
    const diff = text.diffText(plan, output.paint)
    return { ok: true, result: told, answer: [shown, diff].filter(Boolean).join('\n\n') }
  }
  if (isDone) return { ok: true, result: told, report: shown }
  const asks = isTerminal() && !values.yes && !output.json
  if (asks) {
    console.log(`${shown}\n`)
    if (!(await agreed())) return { ok: false, problems: 'Nothing was changed.' }
  }
  const problem = carryOut(plan)
  if (problem !== undefined) return problemOutcome(problem, folder, output.paintError)
  const done = text.doneText(plan, output.paint)
  return { ok: true, result: told, report: asks ? done : `${shown}\n\n${done}` }
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/** Asks for permission. Closing the input or interrupting counts as "no". */
async function agreed(): Promise<boolean> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve('no'))
      lines.once('SIGINT', () => lines.close())
      lines.question('Change these files? [Y/n] ', resolve)
    })
    return /^(?:y(?:es)?)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
