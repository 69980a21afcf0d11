import type { Html } from '../html.ts'
import { html } from '../html.ts'

/** Number of rows shown at first. A few more than that are shown as well. */
const FIRST = 12
const FEW = 4

export function rowsOf(rows: readonly Html[]): Html {
  const first = rows.length > FIRST + FEW ? FIRST : rows.length
  const rest = rows.slice(first)
  return html`<div class="rows">${rows.slice(0, first)}</div>
    ${
      rest.length > 0 &&
      html`<details class="more">
        <summary>${rest.length} more</summary>
        <div class="rows">${rest}</div>
      </details>`
    }`
}
