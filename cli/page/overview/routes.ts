import type { Overview, OverviewPart, OverviewRoute } from '../../inspect/overview.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { kilobytes, plural } from '../../../compiler/util/quantities.ts'
import { hookText, partStatus, schemaLink } from './pieces.ts'

/** Shows a route in one line that opens to its details. */
export function routeOf(route: OverviewRoute, overview: Overview): Html {
  const { method, url, at, constraints, hooks, parts } = route
  const only = Object.entries(constraints).map(([name, value]) => `${name} ${value}`)
  return html`<details class="route" data-search>
    <summary>
      <span class="method" data-method="${method}">${method}</span>
      <code class="url">${url}</code
      >${only.length > 0 && html` <span class="from">${only.join(', ')}</span>`}
      <span class="parts"
        >${parts.map(({ part, standing }) => html`<span data-standing="${standing}">${part}</span>`)}</span
      >
    </summary>
    <div class="inside">
      <p class="about"><code class="place">${at}</code></p>
      ${
        hooks.length > 0 &&
        html`<ul>
          ${hooks.map((hook) => html`<li>${hookText(hook)}</li>`)}
        </ul>`
      }
      ${parts.length === 0 ? html`<p class="none">It has no schema.</p>` : html`<dl>${parts.map((part) => partOf(part, overview))}</dl>`}
    </div>
  </details>`
}

function partOf(
  { part, standing, library, problem, function: position, schemas }: OverviewPart,
  overview: Overview,
): Html {
  const compiled = position === undefined ? undefined : overview.functions[position]
  const others = (compiled?.serves.length ?? 1) - 1
  return html`<dt>${part}</dt>
    <dd>
      <span data-standing="${standing}"
        >${library === undefined ? partStatus[standing] : `read by ${library.name}${library.refusals === undefined && library.parsers !== undefined ? ', compiled' : ''}`}</span
      >${
        compiled !== undefined &&
        position !== undefined &&
        html`, <a href="#f${position}">${compiled.kind}</a> of
          ${kilobytes(compiled.bytes)}${others > 0 && html`, shared with ${plural(others, 'other part')}`}`
      }
      ${problem !== undefined && html`<p>${problem.message} <code class="place">${problem.at}</code></p>`}
      ${schemas.length > 0 && html`<p>refers to ${schemas.map((one, i) => html`${i > 0 && ', '}${schemaLink(one, overview)}`)}</p>`}
    </dd>`
}
