import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Paint } from './terminal.ts'

/** The page about error codes, as it comes with the package. */
const page = new URL('../../docs/reference/codes.md', import.meta.url)

/** URL of the section about an error code. */
export function docsOf(code: string): string {
  return new URL(`#${code.toLowerCase()}`, page).href
}

/** Path of the page about error codes, relative to the working directory. */
export function codesPage(): string {
  return relative(process.cwd(), fileURLToPath(page))
}

/** Returns the section about an error code. */
export function sectionOf(code: string): string | undefined {
  const sections = readFileSync(page, 'utf8').split(/^## /m)
  return sections.find((one) => one.startsWith(`${code}\n`))?.trimEnd()
}

/** Returns an error code. On a terminal with colours it links to its section of the page (OSC 8). */
export function codeText(code: string, paint: Paint): string {
  const shown = paint('red', code)
  if (shown === code) return code
  return `\u001b]8;;${docsOf(code)}\u001b\\${shown}\u001b]8;;\u001b\\`
}
