import type { Paint } from '../terminal.ts'

/** Returns an error code. On a terminal with colours it links to its section of docs/reference/codes.md (OSC 8). */
export function codeText(code: string, paint: Paint): string {
  const shown = paint('red', code)
  if (shown === code) return code
  const page = new URL('../../../docs/reference/codes.md', import.meta.url)
  page.hash = code.toLowerCase()
  return `\u001b]8;;${page.href}\u001b\\${shown}\u001b]8;;\u001b\\`
}
