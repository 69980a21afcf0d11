/** Formats problems and warnings. Problems with the same cause are shown once. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { BuildOptions, BuildResult, Diagnostic } from '../../compiler/index.ts'
import { isDynamic } from '../../compiler/report/dynamic.ts'
import { isMissingModule, isMistake, isNotJsonSchema } from '../../compiler/report/faults.ts'
import { groupBy } from '../../compiler/util/group-by.ts'
import { isFile } from '../../compiler/util/paths.ts'
import { plural } from '../../compiler/util/quantities.ts'
import { codesPage, codeText } from '../code-link.ts'
import type { Outcome } from '../output.ts'
import type { Paint } from '../terminal.ts'
import { frameText } from './frame.ts'

/** A path relative to the working directory. */
export function shownPath(path: string): string {
  return relative(process.cwd(), path) || 'this folder'
}

/** The outcome of a command if the application has problems. */
export function failedBuild(
  { diagnostics, warnings, options }: Omit<BuildResult, 'artifact' | 'read'>,
  requested: Pick<BuildOptions, 'trace'>,
  paint: Paint,
): Outcome {
  const problems = problemsText(diagnostics, options.root, requested, paint)
  const warned = warningsText(warnings, paint)
  return {
    ok: false,
    diagnostics,
    warnings,
    problems: warned === '' ? problems : `${warned}\n${problems}`,
  }
}

/** Lists warnings with their places. */
export function warningsText(warnings: readonly Diagnostic[], paint: Paint): string {
  if (warnings.length === 0) return ''
  const head = paint('yellow', `${plural(warnings.length, 'warning')}:`)
  return `${head}\n${listText(warnings)}\n`
}

export function listText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ at, code, message }) => `  ${placeText(at)}  ${code}\n    ${message}`)
    .join('\n')
}

/** Formats each cause of problems with its code, place and code frame. */
export function problemsText(
  diagnostics: readonly Diagnostic[],
  root: string,
  { trace }: Pick<BuildOptions, 'trace'>,
  paint: Paint,
): string {
  const texts = groupByCause(diagnostics).map((problems) => {
    const { code, message, at } = problems[0] as Diagnostic
    const needed = at.neededBy
    const isElsewhere = needed?.file !== at.file || needed.line !== at.line
    const by = needed && isElsewhere ? ` Needed by ${placeText(needed)}.` : ''
    const place = placeText(at)
    const title = place === '' ? '' : `${paint('cyan', place)}  `
    const head = `${title}${codeText(code, paint)}\n${message}${by}${othersText(problems)}`
    const source = at.line > 0 ? sourceOf(join(root, at.file)) : ''
    return source === '' ? head : `${head}\n\n${frameText(source, at, paint)}`
  })
  // Running the application can't avoid a mistake or a missing module, or turn another kind of schema into JSON Schema.
  const resolvable = diagnostics.filter(
    (one) =>
      isDynamic(one) &&
      ![isMistake, isMissingModule, isNotJsonSchema].some((is) => is(one.message)),
  )
  const hint = dynamicHint(resolvable.length, diagnostics.length, trace === true)
  return `${texts.join('\n\n')}\n\n${plural(diagnostics.length, 'problem')}; nothing was written.${hint}
Codes are explained in ${codesPage()}`
}

/** The outcome of a command that stops at problems. */
export function problemOutcome(
  problems: Diagnostic | readonly Diagnostic[],
  root: string,
  paint: Paint,
): Outcome {
  const diagnostics = [problems].flat()
  return { ok: false, diagnostics, problems: problemsText(diagnostics, root, {}, paint) }
}

/** The entry itself may be missing. */
function sourceOf(file: string): string {
  return isFile(file) ? readFileSync(file, 'utf8') : ''
}

/** Suggests options for problems that the running application could resolve. */
function dynamicHint(dynamic: number, all: number, isTraced: boolean): string {
  if (dynamic === 0) return ''
  const count = dynamic === all ? '' : ` (${dynamic} of ${all})`
  const traceHint = isTraced ? '' : ' `--trace` to take it from the booted application, or with'
  return `\nWhat only the running application knows${count}: build with${traceHint} \`--allow-dynamic\` to leave it out.`
}

/** At most this many other problems with the same cause are listed. `--json` has all of them. */
const MAX_LISTED = 5

/** Number of problems with the same message from which on it is shown once. */
const MIN_REPEATED = 4

/**
 * Groups problems with the same place and reason, because one mistake may break many schemas. Then groups those with the same
 * message at different places, as an unknown prefix causes. Keeps the order of first occurrence.
 */
function groupByCause(diagnostics: readonly Diagnostic[]): readonly Diagnostic[][] {
  const bySubject = groupBy(diagnostics, ({ code, at, message }) => {
    const [subject, reason = subject] = splitMessage(message)
    return JSON.stringify([code, at, reason])
  })
  const byMessage = groupBy([...bySubject.values()], ([first]) => String(first?.message))
  return [...byMessage.values()].flatMap((same) =>
    same.length < MIN_REPEATED ? same : [same.flat()],
  )
}

/** Lists the other problems of a group: by their place if one has the same message, else by their subject. */
function othersText([first, ...others]: readonly Diagnostic[]): string {
  if (first === undefined || others.length === 0) return ''
  const isElsewhere = others.some(({ message }) => message === first.message)
  const all = others.map(({ message, at }) =>
    isElsewhere ? placeText(at) : splitMessage(message)[0],
  )
  const named = all.slice(0, MAX_LISTED).map((one) => `  ${one}`)
  const more = others.length > MAX_LISTED ? [`  and ${others.length - MAX_LISTED} more`] : []
  return ['\nFor the same reason:', ...named, ...more].join('\n')
}

function placeText({ file, line, column }: Omit<Diagnostic['at'], 'neededBy'>): string {
  return line === 0 ? file : `${file}:${line}:${column}`
}

/** Splits a message into its subject and the reason. */
function splitMessage(message: string): readonly [subject: string, reason?: string] {
  const end = message.indexOf(': ')
  return end === -1 ? [message] : [message.slice(0, end), message.slice(end)]
}
