/** Runs the commands of a page, from its top to its end, in an empty folder. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, listening } from '../support/ports.ts'
import { startShell, type Shell } from './shell.ts'
import { type Lasting, temporaryFolder } from '../support/folders.ts'
import { root } from '../support/root.ts'

/** Number of attempts to connect to a started program, one every tenth of a second. */
const PATIENCE = 600

export interface Recipe {
  /** A file of this project. */
  readonly page: string
  /** The title of the section to run; by default the whole page. */
  readonly section?: string
  /** The port that it shows; by default 3000. */
  readonly port?: number
  /** The fixed port of a program on the page. */
  readonly ownPort?: number
  /** Puts files into the folder before anything runs. */
  readonly prepare?: (folder: string) => void
  /** Checks the result after everything has run. */
  readonly shows?: (t: Lasting, folder: string) => Promise<void>
}

/**
 * Blocks with a name behind the language are files; those of `diff` change one. Of `console` blocks each line behind a `$` is
 * run, in one shell. The lines below show its output: `…` matches any text. The port becomes a free one, `/srv` a folder.
 */
export async function runRecipe(
  t: Lasting,
  { page, section, port: written = 3000, ownPort, prepare, shows }: Recipe,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = temporaryFolder(t)
  prepare?.(folder)
  const elsewhere = temporaryFolder(t)
  const port = ownPort ?? (await freePort())
  const shell = startShell(folder, { ...env, PORT: `${port}` })
  t.after(() => shell.end())
  const whole = readFileSync(join(root, page), 'utf8')
  const text = section === undefined ? whole : sectionOf(whole, section)
  // Jobs print into a file, apart from the output of commands.
  const jobs = join(elsewhere, 'jobs')
  let steps = 0
  for (const [language, name, block] of blocksOf(moved(text))) {
    const file = join(folder, name)
    if (language === 'diff') writeFileSync(file, changed(readFileSync(file, 'utf8'), block))
    else if (language === 'console') steps += await runSteps(shell, block, port, jobs)
    else if (name !== '') {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, block)
    }
  }
  assert.ok(steps > 0, `${page} runs nothing`)
  await shows?.(t, folder)

  /** Replaces ports and folders by those of this test. */
  function moved(text: string): string {
    const own = ownPort === undefined ? text.replaceAll(`${written}`, `${port}`) : text
    return own.replaceAll('/srv/', `${elsewhere}/`)
  }
}

async function runSteps(shell: Shell, block: string, port: number, jobs: string): Promise<number> {
  const steps = block.split(/^\$ /m).slice(1)
  for (const step of steps) {
    // A command may continue in the next line.
    const [, command = '', shown = ''] = /^((?:.*\\\n)*.*)\n?([^]*)$/.exec(step) ?? []
    const isJob = command.endsWith(' &')
    const { output, status } = await shell.run(
      isJob ? `${command.slice(0, -2)} > '${jobs}' 2>&1 &` : command,
    )
    const expected = shown.trimEnd()
    if (expected !== '') assert.match(output, patternOf(expected), command)
    // A failing command is one whose failure is shown.
    if (expected === '') assert.equal(status, 0, `${command}\n${output}`)
    // The next program uses its port.
    if (command.startsWith('kill ')) await shell.run('wait')
    if (isJob) {
      await listening(port, PATIENCE).catch((error: Error) => {
        throw new Error(`${command}\n${readFileSync(jobs, 'utf8')}`, { cause: error })
      })
    }
  }
  return steps.length
}

/** A pattern for the shown output that allows for differences from run to run. */
function patternOf(shown: string): RegExp {
  const literal = shown
    .split(/(…|\d+(?:\.\d+)? (?:s|ms|kB)\b)/)
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') : '[^]*?'))
  return new RegExp(`^${literal.join('')}$`, 'm')
}

export function blocksOf(
  text: string,
): (readonly [language: string, name: string, text: string])[] {
  const fences = text.matchAll(/^```(\w+)\b *([^\n]*)\n([^]*?)^```/gm)
  return [...fences].map(([, language = '', name = '', block = '']) => [language, name, block])
}

/** Returns the introduction and the section with this title. */
function sectionOf(text: string, title: string): string {
  const [beginning = '', ...sections] = text.split(/^## /m)
  const section = sections.find((one) => one.startsWith(`${title}\n`))
  assert.ok(section !== undefined, `There is no section "${title}"`)
  return beginning + section
}

/** Applies a diff whose lines occur once in the text. */
function changed(text: string, diff: string): string {
  const lines = diff.trimEnd().split('\n')
  const side = (left: string): string =>
    lines
      .filter((line) => line[0] === ' ' || line[0] === left || line === '')
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  const before = side('-')
  assert.equal(text.split(before).length, 2, `What is to be replaced stands once:\n${before}`)
  return text.replace(before, () => side('+'))
}
