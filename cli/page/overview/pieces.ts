/**
 * Pieces that several sections of the page show. Elements have the ids `c0`, `s0` and `f0`: contexts, shared schemas and functions by their
 * position in the overview.
 */
import type { ManifestHook } from '../../../compiler/5-artifact/manifest.ts'
import type { Overview } from '../../inspect/overview.ts'
import type { Html, Piece } from '../html.ts'
import { html } from '../html.ts'

/** Links to a shared schema, naming its context if several have the same `$id`. */
export function schemaLink(position: number, { schemas }: Overview): Html | undefined {
  const found = schemas[position]
  if (found === undefined) return undefined
  const { id, context } = found
  const isOnly = schemas.every((other) => other === found || other.id !== id)
  return html`<a class="schema" href="#s${position}">${id}</a
    >${!isOnly && html` <span class="from">of ${context}</span>`}`
}

/** @param hook includes the context that adds it, if it is inherited */
export function hookText({
  hook,
  name,
  plugin,
  at,
  from,
  isConditional,
}: ManifestHook & { readonly from?: string }): Html {
  return html`<b>${hook}</b>
    ${name}${plugin !== undefined && html` <span class="from">of plugin ${plugin}</span>`}${isConditional && ', under a condition'}${from !== undefined && html` <span class="from">of ${from}</span>`}
    <code class="place">${at}</code>`
}

/** Describes how the build came to know a part's schema. */
export const partStatus: Readonly<Record<string, string>> = {
  literal: 'compiled as written',
  sliced: 'computed by the build',
  traced: 'taken from the booted application',
  own: 'left to your own compiler',
  dynamic: 'known only to the running application',
}

/** Number of rows that are shown at first, and least number of further ones that is worth folding. */
const FIRST_ROWS = 12
const MIN_FOLDED = 5

export function rowsOf(rows: readonly Html[]): Html {
  const first = rows.length >= FIRST_ROWS + MIN_FOLDED ? FIRST_ROWS : rows.length
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

/** A term of a `<dl>` with a list of items, if there are any. */
export function listOf(title: string, items: readonly Piece[]): Html | undefined {
  if (items.length === 0) return undefined
  return html`<dt>${title}</dt>
    <dd>
      <ul>
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>
    </dd>`
}
