/** Renders the analysis as a page with treemaps and tables. */
export { isPage } from './document.ts'
import { documentOf } from './document.ts'
import type { Html, Piece } from './html.ts'
import { html } from './html.ts'
import type { Group } from './treemap.ts'
import { treemapOf } from './treemap.ts'
import { kilobytes, milliseconds } from '../../compiler/util/quantities.ts'
import { groupBy } from '../../compiler/util/group-by.ts'
import type { ModuleSize } from '../../compiler/deploy/sizes.ts'
import type { Cost } from '../../compiler/deploy/analysis/costs.ts'

export function analysisPage(
  name: string,
  modules: readonly ModuleSize[],
  costs: readonly Cost[] | undefined,
): string {
  return documentOf({
    title: `${name}: what a deployment is made of`,
    kind: 'analysis',
    head: html`<h1>${name}</h1>
      <p class="about">
        What the deployment is made of${costs !== undefined && ', and what its start costs'}.
      </p>`,
    main: html`${codeSection(modules)}${costs !== undefined && costsSection(costs)}`,
  })
}

function codeSection(modules: readonly ModuleSize[]): Html {
  const rows = modules.map(({ owner, name, bytes }) => [label(owner), name, kilobytes(bytes)])
  return html`<section>
    <h2>Code</h2>
    ${treemapOf(byOwner(modules), kilobytes)}
    <details>
      <summary>${modules.length} modules</summary>
      ${table(['package', 'module', 'size'], rows)}
    </details>
  </section>`
}

function costsSection(costs: readonly Cost[]): Html {
  const groups = costs.map(({ name, ms }) => ({
    name: label(name),
    areas: [{ name: label(name), size: ms, kind: 'module' }],
  }))
  const rows = costs.map(({ name, ms }) => [label(name), ms.toFixed(1)])
  return html`<section>
    <h2>Time of a start until it listens</h2>
    ${treemapOf(groups, milliseconds)} ${table(['of', 'ms'], rows)}
  </section>`
}

function byOwner(modules: readonly ModuleSize[]): readonly Group[] {
  return [...groupBy(modules, ({ owner }) => label(owner))].map(([name, all]) => ({
    name,
    areas: all.map(({ name, bytes: size }) => ({ name, size, kind: 'module' })),
  }))
}

function label(owner: string): string {
  return owner || 'the application'
}

function table(titles: readonly string[], rows: readonly (readonly Piece[])[]): Html {
  return html`<table>
    <tr>
      ${titles.map((cell) => html`<th scope="col">${cell}</th>`)}
    </tr>
    ${rows.map(
      (cells) =>
        html`<tr>
          ${cells.map((cell) => html`<td>${cell}</td>`)}
        </tr> `,
    )}
  </table>`
}
