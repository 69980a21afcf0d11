/** Draws the contexts as nested lists that fold without a script. */
import type { Overview, OverviewContext } from '../../inspect/overview.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { plural } from '../../../compiler/util/quantities.ts'

/** Contexts of larger applications are folded below the first level. */
const MAX_UNFOLDED = 36

/** Number of routes of a context that are drawn. Further ones are counted. */
const MAX_SQUARES = 18

export function treeOf({ contexts }: Overview): Html {
  const isOpen = contexts.length <= MAX_UNFOLDED
  return html`<ul class="tree" aria-label="Contexts">
    ${itemsOf(undefined)}
  </ul>`

  function itemsOf(parent: number | undefined): readonly Html[] {
    return contexts.flatMap((one, position) => {
      if (one.parent !== parent) return []
      const inner = itemsOf(position)
      return [
        html`<li>
          ${cardOf(one, position, parent === undefined ? undefined : contexts[parent])}${
            inner.length > 0 &&
            html`<details ${(isOpen || parent === undefined) && 'open'}>
              <summary aria-label="${plural(inner.length, 'context')} in ${one.name}">
                <span>${inner.length}</span>
              </summary>
              <ul>
                ${inner}
              </ul>
            </details>`
          }
        </li>`,
      ]
    })
  }
}

function cardOf(
  { context, name, prefix, adds, routes }: OverviewContext,
  position: number,
  parent: OverviewContext | undefined,
): Html {
  const own = ownPrefix(prefix, parent?.prefix)
  const about = [
    plural(adds.schemas.length, 'schema'),
    plural(adds.hooks.length, 'hook'),
    plural(adds.plugins.length, 'plugin'),
  ].filter((one) => !one.startsWith('0 '))
  return html`<a class="card" href="#c${position}" title="${context}">
    <span class="name"><b>${name}</b> ${own !== '' && html`<code>${own}</code>`}</span>
    <span class="below">
      ${
        routes.length > 0 &&
        html`<span class="squares" role="img" aria-label="${plural(routes.length, 'route')}">
          ${routes.slice(0, MAX_SQUARES).map(({ method }) => html`<i data-method="${method}"></i>`)}
          ${routes.length > MAX_SQUARES && html`<small>+${routes.length - MAX_SQUARES}</small>`}
        </span>`
      }
      <span class="about">${about.join(' · ') || (routes.length === 0 && 'no routes')}</span>
    </span>
  </a>`
}

/** Removes the parent's prefix, which a prefix usually starts with. */
function ownPrefix(prefix: string, around = ''): string {
  if (prefix === around) return ''
  return prefix.startsWith(`${around}/`) ? prefix.slice(around.length) : prefix
}

/** Groups of methods with a colour of their own, named as in the style sheet. */
const colored = [['GET'], ['POST'], ['PUT', 'PATCH'], ['DELETE']] as const

/** Legend of the squares: each stands for a route, coloured by method. */
export function methodLegend({ contexts }: Overview): Html {
  const used = new Set(contexts.flatMap(({ routes }) => routes.map(({ method }) => method)))
  const shown = colored
    .map((methods) => methods.filter((one) => used.delete(one)))
    .filter((methods) => methods.length > 0)
  return html`<ul class="legend" aria-label="Routes by method">
    ${shown.map((methods) => html`<li data-method="${methods[0]}">${methods.join(', ')}</li>`)}
    ${used.size > 0 && html`<li data-method="">${[...used].sort().join(', ')}</li>`}
  </ul>`
}
