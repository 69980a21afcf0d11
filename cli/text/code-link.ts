import type { Paint } from '../terminal.ts'

/** A code; where a terminal shows colours, it leads to its section of docs/codes.md, as terminals follow links (OSC 8). */
export function codeText(code: string, paint: Paint): string {
  const shown = paint('red', code)
  if (shown === code) return code
  const page = new URL('../../../docs/codes.md', import.meta.url)
  page.hash = code.toLowerCase()
  return `\u001b]8;;${page.href}\u001b\\${shown}\u001b]8;;\u001b\\`
}
