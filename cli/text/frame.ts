import type { SourceLocation } from '../../compiler/model/diagnostic.ts'
import { codeFrame } from '../../compiler/report/frame.ts'
import type { Paint } from '../terminal.ts'

/** Formats a code frame: the line in question as it is, the marker below it in red, and the rest dimmed. */
export function frameText(source: string, at: SourceLocation, paint: Paint): string {
  const lines = codeFrame(source, at).split('\n')
  const marked = lines.findIndex((line) => line.startsWith('>'))
  return lines
    .map((line, index) => {
      if (index === marked) return line
      return index === marked + 1 ? paint('red', line) : paint('dim', line)
    })
    .join('\n')
}
