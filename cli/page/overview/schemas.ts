/** The section about shared schemas: a graph of their references, and the users of each. */
import type { Overview } from '../../inspect/overview.ts'
import type { OverviewSchema } from '../../inspect/shared.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { plural } from '../../../compiler/util/quantities.ts'
import { graphOf } from './graph.ts'
import { listOf, rowsOf, schemaLink } from './pieces.ts'

export function schemasSection(overview: Overview): Html | undefined {
  const { schemas } = overview
  if (schemas.length === 0) return undefined
  const graph = graphOf(schemas)
  return html`<p class="about">
      ${graph && 'An arrow leads from a schema to the one that it refers to. '}The number counts the
      parts of routes that need it.
    </p>
    ${graph} ${rowsOf(schemas.map((one, i) => rowOf(one, i, overview)))}`
}

function rowOf(one: OverviewSchema, position: number, overview: Overview): Html {
  const { id, context, at, schema, refersTo, referredBy, parts, reach } = one
  const use = reach === 0 ? 'no route needs it' : plural(reach, 'part')
  return html`<details id="s${position}" class="row" data-search>
    <summary>
      <span class="size">${use}</span> <b class="schema">${id}</b>
      <span class="from">of ${context}</span>
    </summary>
    <div class="inside">
      <p class="about"><code class="place">${at}</code></p>
      <dl>
        ${listOf(
          'Refers to',
          refersTo.map((other) => schemaLink(other, overview)),
        )}
        ${listOf(
          'Schemas that refer to it',
          referredBy.map((other) => schemaLink(other, overview)),
        )}
        ${listOf(
          'Parts of routes that refer to it',
          parts.map((part) => html`<code>${part}</code>`),
        )}
      </dl>
      <pre tabindex="0" aria-label="The schema ${id}">${JSON.stringify(schema, null, 2)}</pre>
    </div>
  </details>`
}
