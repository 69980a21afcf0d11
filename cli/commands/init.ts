import { lines } from '../../runtime/artifact/lines.ts'
import type { Call, Command } from '../command.ts'
import { defineCommand, entryArgument } from '../command.ts'
import type { Outcome } from '../output.ts'
import { lineNameOf, serverOption } from './compiler-options.ts'

const options = {
  server: {
    ...serverOption,
    summary: `what is to serve it: ${lines.join(', ')} (default: framework, or Fastify 5 where that is installed)`,
  },
  'dry-run': {
    type: 'boolean',
    short: 'n',
    summary: 'print what would change, and change nothing',
  },
  replace: {
    type: 'boolean',
    short: 'r',
    summary: 'let framework/5 serve an application on Fastify 5, which stays on Fastify otherwise',
  },
  yes: { type: 'boolean', short: 'y', summary: 'change the files without asking' },
} as const

export const init: Command = defineCommand({
  name: 'init',
  summary: 'prepare a project: dependencies, scripts, .gitignore',
  takes: [entryArgument],
  options,
  run,
})

async function run({ values, args: [entry], output }: Call<typeof options>): Promise<Outcome> {
  // On Fastify 5, the server `framework` means `framework/5`.
  const line = values.replace ? 'framework' : lineNameOf(values.server)
  const [{ planInit, applyChanges }, text, { problemOutcome }] = await Promise.all([
    import('../init/index.ts'),
    import('../text/init.ts'),
    import('../text/problems.ts'),
  ])
  const folder = process.cwd()
  const planned = await planInit({ folder, entry, line })
  if ('code' in planned) return problemOutcome(planned, folder, output.paintError)
  const isDry = values['dry-run'] === true
  const asks = isTerminal() && !values.yes && !isDry && !output.json
  const canReplace = planned.line === 'fastify@5' && !planned.isOurs && line === undefined
  let plan = planned
  const ways = canReplace && planned.files.length > 0 ? text.waysText(output.paint) : undefined
  if (asks && ways !== undefined) {
    const answer = await ask(`${ways}\n\nWhich way? [stay/replace] (stay) `)
    if (answer === undefined) return unchanged()
    if (!/^(?:s(?:tay)?|r(?:eplace)?)?$/i.test(answer))
      return unchanged(` Answer "stay" or "replace", not "${answer}".`)
    const replacing = /^r/i.test(answer) ? ('framework' as const) : undefined
    const chosen = await planInit({ folder, entry, line: replacing })
    if ('code' in chosen) return problemOutcome(chosen, folder, output.paintError)
    plan = chosen
  }
  const isReady = plan.files.length === 0
  const isConfirmed = values.yes === true || line !== undefined
  const writes = !isDry && !isReady && (asks || isConfirmed)
  const result = text.resultOf(plan, writes)
  const summary = text.planText(plan, output.paint)
  const proposal = ways === undefined || asks ? summary : `${summary}\n\n${ways}`
  if (isDry) {
    const diff = text.diffText(plan, output.paint)
    return { ok: true, result, answer: [proposal, diff].filter(Boolean).join('\n\n') }
  }
  if (isReady) return { ok: true, result, report: summary }
  if (!writes) {
    const next = ways === undefined ? 'change these files' : 'stay on Fastify 5, or `--replace`'
    const problems = `Nothing was changed, because that needs a confirmation. Add \`--yes\` to ${next}.`
    return { ok: false, result, report: proposal, problems }
  }
  if (asks) {
    console.log(`${summary}\n`)
    const answer = await ask('Change these files? [Y/n] ')
    if (answer === undefined || !/^(?:y(?:es)?)?$/i.test(answer)) return unchanged()
  }
  const problem = applyChanges(plan)
  if (problem !== undefined) return problemOutcome(problem, folder, output.paintError)
  const done = text.doneText(plan, output.paint)
  return { ok: true, result, report: asks ? done : `${summary}\n\n${done}` }
}

function unchanged(reason = ''): Outcome {
  return { ok: false, problems: `Nothing was changed.${reason}` }
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/** Returns the answer, or `undefined` if the input is closed or interrupted. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once('close', () => resolve(undefined))
      lines.once('SIGINT', () => lines.close())
      lines.question(question, (answer) => resolve(answer.trim()))
    })
  } finally {
    lines.close()
  }
}
