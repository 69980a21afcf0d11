import type { SourceLocation } from '../model/index.ts'

const linesBefore = 2

/** Longer lines are truncated: a minified file would fill the terminal. */
const maxWidth = 160

/** Width of the text before the location in a line that is cut at its start. */
const maxBefore = 60

/**
 * Formats the source around a location, with line numbers, a `>` in front of the line, and its text
 * underlined.
 *
 * @param text the whole file
 */
export function codeFrame(text: string, at: SourceLocation): string {
  const lines = text.split(/\r?\n/)
  const first = Math.max(1, at.line - linesBefore)
  const last = Math.min(lines.length, at.line + 1)
  const gutter = String(last).length
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    const line = lines[number - 1] ?? ''
    const [shown, carets] = number === at.line ? underline(line, at) : [expandTabs(line)]
    const mark = carets === undefined ? ' ' : '>'
    frame.push(`${mark} ${String(number).padStart(gutter)} | ${shown.slice(0, maxWidth)}`.trimEnd())
    if (carets !== undefined) frame.push(`  ${' '.repeat(gutter)} | ${carets}`)
  }
  return frame.join('\n')
}

/** Returns a line, cut at its start if the location would be out of sight, and the carets below it. */
function underline(
  line: string,
  { column, length = 1 }: SourceLocation,
): [text: string, carets: string] {
  const before = expandTabs(line.slice(0, column - 1))
  const after = expandTabs(line.slice(column - 1))
  const width = Math.max(1, Math.min(after.length, length))
  const isCut = before.length > maxBefore && before.length + width > maxWidth
  const start = isCut ? `…${before.slice(-maxBefore)}` : before
  const carets = '^'.repeat(Math.min(width, maxWidth - start.length))
  return [start + after, ' '.repeat(start.length) + carets]
}

function expandTabs(line: string): string {
  return line.replaceAll('\t', '  ')
}
