import type { SourceLocation } from '../model/index.ts'

/** Lines shown before the one that a location is in. */
const linesBefore = 2

/** Longer lines are cut: a minified file would fill the terminal. */
const maxWidth = 160

/**
 * The source around a location, with its text underlined. `text` is the whole file; line numbers
 * stand in front, and a `>` marks the line itself.
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

/** Tabs take two columns, wherever the terminal would put them. */
function shown(line: string): string {
  return line.replaceAll('\t', '  ').slice(0, maxWidth)
}
