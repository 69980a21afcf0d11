import type { SourceLocation } from '../model/index.ts'

const linesBefore = 2

/** Longer lines are truncated: a minified file would fill the terminal. */
const maxWidth = 160

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
    const line = shown(lines[number - 1] ?? '')
    const mark = number === at.line ? '>' : ' '
    frame.push(`${mark} ${String(number).padStart(gutter)} | ${line}`.trimEnd())
    if (number === at.line)
      frame.push(`  ${' '.repeat(gutter)} | ${underline(lines[number - 1] ?? '', at)}`)
  }
  return frame.join('\n')
}

function underline(line: string, { column, length = 1 }: SourceLocation): string {
  const before = shown(line.slice(0, column - 1))
  const width = Math.max(1, Math.min(shown(line.slice(column - 1)).length, length))
  return ' '.repeat(Math.min(before.length, maxWidth)) + '^'.repeat(width)
}

/** Shows tabs as two columns. */
function shown(line: string): string {
  return line.replaceAll('\t', '  ').slice(0, maxWidth)
}
