/** The section about contexts: the tree, and what each context adds, inherits and serves. */
import type { ManifestHook } from '../../../compiler/5-artifact/manifest.ts'
import type { Additions, Overview, OverviewContext } from '../../inspect/overview.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { hookText, listOf, schemaLink } from './pieces.ts'
import { routeOf } from './routes.ts'
import { methodLegend, treeOf } from './tree.ts'

export function contextsSection(overview: Overview): Html {
  return html`<div class="contexts">
    <figure id="tree">
      <div class="tools">
        <button type="button" data-fold="all">Fold all</button>
        <button type="button" data-fold="none">Unfold all</button>
        ${methodLegend(overview)}
      </div>
      ${treeOf(overview)}
    </figure>
    <div class="details">${overview.contexts.map((one, i) => detailsOf(one, i, overview))}</div>
  </div>`
}

function detailsOf(one: OverviewContext, position: number, overview: Overview): Html {
  const { prefix, at, adds, inherits, routes } = one
  const id = `c${position}`
  const names = namesOf(one, overview)
  return html`<article id="${id}" class="context" aria-labelledby="${id}-title" tabindex="-1">
    <a class="back" href="#contexts">Back to the picture</a>
    <div class="own" data-search>
      <h3 id="${id}-title">
        ${names.map((name, i) => html`${i > 0 && html`<i> › </i>`}<span>${name}</span>`)}
      </h3>
      <p class="about">
        ${prefix !== '' && html`prefix <code>${prefix}</code> `}<code class="place">${at}</code>
      </p>
      ${additionsOf('Adds', adds, overview)}
    </div>
    ${additionsOf('Inherits', inherits, overview)}
    ${
      routes.length === 0
        ? html`<p class="none">It holds no route itself.</p>`
        : html`<h4>Routes</h4>
            <div class="routes">${routes.map((route) => routeOf(route, overview))}</div>`
    }
  </article>`
}

/** Returns the names of the contexts from the root to this one. */
function namesOf({ name, parent }: OverviewContext, overview: Overview): readonly string[] {
  const outer = parent === undefined ? undefined : overview.contexts[parent]
  return outer === undefined ? [name] : [...namesOf(outer, overview), name]
}

function additionsOf(
  title: string,
  { schemas, hooks, plugins }: Additions<ManifestHook & { readonly from?: string }>,
  overview: Overview,
): Html | undefined {
  if (schemas.length + hooks.length + plugins.length === 0) return undefined
  const listed = plugins.map(({ name, at }) => html`${name} <code class="place">${at}</code>`)
  return html`<h4>${title}</h4>
    <dl>
      ${listOf(
        'Schemas',
        schemas.map((one) => schemaLink(one, overview)),
      )}
      ${listOf('Hooks', hooks.map(hookText))} ${listOf('Plugins', listed)}
    </dl>`
}
