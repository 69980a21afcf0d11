/** The section about validators and serializers: their size, and the parts of routes that share them. */
import type { OverviewFunction } from '../../inspect/parts.ts'
import type { Overview } from '../../inspect/overview.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { Group } from '../treemap.ts'
import { treemapOf } from '../treemap.ts'
import { kilobytes, plural } from '../../../compiler/util/quantities.ts'
import { rowsOf } from './pieces.ts'

export function functionsSection({ functions }: Overview): Html | undefined {
  if (functions.length === 0) return undefined
  return html`<p class="about">${sharingOf(functions)}</p>
    <ul class="legend">
      <li data-kind="validator">validators</li>
      <li data-kind="serializer">serializers</li>
    </ul>
    ${treemapOf(groupsOf(functions), kilobytes)} ${rowsOf(functions.map(rowOf))}`
}

/** Describes what sharing saves. */
function sharingOf(functions: readonly OverviewFunction[]): string {
  const count = (kind: string): number => functions.filter((one) => one.kind === kind).length
  const parts = sumOf(functions, ({ serves }) => serves.length)
  const bytes = sumOf(functions, (one) => one.bytes)
  const unshared = sumOf(functions, (one) => one.bytes * Math.max(one.serves.length, 1))
  const counts = `${plural(count('validator'), 'validator')} and ${plural(count('serializer'), 'serializer')} for ${plural(parts, 'part')} of routes: ${kilobytes(bytes)} of code`
  const comparison = unshared === bytes ? '' : `, and ${kilobytes(unshared)} if none were shared`
  return `${counts}${comparison}.`
}

function sumOf(
  functions: readonly OverviewFunction[],
  of: (one: OverviewFunction) => number,
): number {
  return functions.reduce((sum, one) => sum + of(one), 0)
}

/** Groups functions by the context that needs them, if it is the only one. */
function groupsOf(functions: readonly OverviewFunction[]): readonly Group[] {
  const groups = new Map<string, Group['areas'][number][]>()
  functions.forEach((one, position) => {
    const contexts = new Set(one.serves.map(({ context }) => context))
    const [only = 'no route'] = contexts
    const name = contexts.size > 1 ? 'several contexts' : only
    const areas = groups.get(name) ?? []
    const { kind, bytes: size } = one
    areas.push({ name: titleOf(one), size, kind, target: `f${position}` })
    groups.set(name, areas)
  })
  return [...groups].map(([name, areas]) => ({ name: name.replace(/^root > /, ''), areas }))
}

function titleOf({ serves, digest }: OverviewFunction): string {
  const [first] = serves
  if (first === undefined) return digest
  const others = serves.length > 1 ? ` +${serves.length - 1}` : ''
  return `${first.method} ${first.url} ${first.part}${others}`
}

function rowOf(one: OverviewFunction, position: number): Html {
  const { kind, bytes, digest, serves } = one
  return html`<details id="f${position}" class="row" data-search>
    <summary>
      <span class="size">${kilobytes(bytes)}</span>
      <span class="kind" data-kind="${kind}">${kind}</span> <code class="url">${titleOf(one)}</code>
    </summary>
    <div class="inside">
      <p class="about"><code>${digest}</code>, ${bytes} bytes</p>
      <ul>
        ${serves.map(({ method, url, part }) => html`<li>${method} <code>${url}</code> ${part}</li>`)}
      </ul>
    </div>
  </details>`
}
