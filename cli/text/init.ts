import { join, relative } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { ProjectInfo, Plan } from '../init/index.ts'
import type { Paint } from '../terminal.ts'
import { shownPath } from './problems.ts'

/** The `--json` result. */
export function resultOf(plan: Plan, isWritten: boolean): object {
  const { folder, found, line, isReplaced, files, notes } = plan
  return {
    folder: relative(process.cwd(), folder) || '.',
    found,
    target: line,
    replaced: isReplaced,
    written: isWritten,
    files: files.map((one) => ({ file: one.file, changes: one.changes, diff: patchOf(one) })),
    notes,
  }
}

/** The server after the changes: this package, or Fastify itself. */
function serverText({ line, isOurs, isReplaced }: Plan): string {
  const version = line === 'fastify@5' ? 5 : 4
  if (!isOurs) return `Fastify ${version}, with compiled validators and serializers`
  const entry = version === 5 ? 'framework/5' : 'framework'
  return isReplaced ? `${entry}, in place of Fastify ${version}` : entry
}

/** Explains the two ways to serve an application on Fastify 5. */
export function waysText(paint: Paint): string {
  return [
    paint('bold', 'Two ways'),
    `  ${paint('cyan', 'stay')}     Fastify 5 serves it, with compiled validators and serializers: it starts faster, and nothing else changes.`,
    `  ${paint('cyan', 'replace')}  framework/5 serves it as Fastify 5 does, and generates no code: beyond a bare server, it starts in a few per cent of the CPU time.`,
    '           Source and plugins that use the public interface stay as they are. The page "Differences from Fastify 5" of the documentation lists what differs.',
  ].join('\n')
}

/** Shows what was found and what would change. */
export function planText(plan: Plan, paint: Paint): string {
  const { folder, found, files, notes } = plan
  const rows = [
    `${paint('bold', 'Found')}  ${foundText(plan)}`,
    `${paint('bold', 'Entry')}  ${entryText(found)}, served by ${serverText(plan)}`,
  ]
  const changes = files.flatMap(({ file, before, changes }) => [
    `  ${paint('cyan', shownPath(join(folder, file)))}${before === undefined ? ' (new)' : ''}`,
    ...changes.map((one) => `    ${paint('green', '+')} ${one}`),
  ])
  const changed =
    files.length === 0 ? ['There is nothing to change.'] : [paint('bold', 'Changes'), ...changes]
  const left =
    notes.length === 0 ? [] : ['', paint('bold', 'Left to you'), ...notes.map((one) => `  ${one}`)]
  if (!found.hasSchemas)
    rows.push(
      'No module mentions a schema, so there is nothing to compile. With Fastify itself, nothing would change.',
    )
  return [...rows, '', ...changed, ...left].join('\n')
}

function entryText({ entry, application }: ProjectInfo): string {
  return application === undefined ? `${entry}` : `${entry}, which starts ${application}`
}

function foundText(plan: Plan): string {
  const { language, modules, bundlers, testRunners, runners, packageManager } = plan.found
  return [
    foundServer(plan),
    language,
    modules,
    ...runners,
    ...bundlers,
    ...testRunners,
    packageManager,
  ].join(', ')
}

/** The server that the project depends on today. */
function foundServer({ found, line }: Plan): string {
  const entry = line === 'fastify@5' ? 'framework/5' : 'framework'
  if (found.fastify !== undefined) return `Fastify ${found.fastify.version}`
  if (found.alias !== undefined) return `${entry} in place of Fastify`
  return found.importsFramework ? entry : 'no Fastify'
}

/** Formats the changes as a Git diff. */
export function diffText({ files }: Plan, paint: Paint): string {
  return files
    .map((one) =>
      patchOf(one)
        .trimEnd()
        .split('\n')
        .map((line) => paintLine(line, paint))
        .join('\n'),
    )
    .join('\n')
}

function patchOf({ file, before, after }: Plan['files'][number]): string {
  const from = before === undefined ? '/dev/null' : `a/${file}`
  const patch = createTwoFilesPatch(from, `b/${file}`, before ?? '', after)
  // Git doesn't print the line of equals signs.
  return patch.replace(/^=+\n/, '')
}

function paintLine(line: string, paint: Paint): string {
  if (/^(?:---|\+\+\+) /.test(line)) return paint('bold', line)
  if (line.startsWith('+')) return paint('green', line)
  if (line.startsWith('-')) return paint('red', line)
  return line.startsWith('@@') ? paint('cyan', line) : line
}

/** Lists the next steps. */
export function doneText(
  { found, files, folder, needsInstall, scripts }: Plan,
  paint: Paint,
): string {
  const run =
    found.packageManager === 'npm' || found.packageManager === 'bun'
      ? `${found.packageManager} run`
      : found.packageManager
  const names = files.map(({ file }) => shownPath(join(folder, file))).join(', ')
  const commands = [
    ...(needsInstall ? [`${found.packageManager} install`] : []),
    ...scripts.map((name) => `${run} ${name}`),
  ]
  const list = commands.map((one) => `  ${paint('bold', one)}`).join('\n')
  return `Changed ${names}. Next:\n${list}`
}
