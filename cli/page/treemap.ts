/** Draws a treemap: rectangles in proportion to sizes, grouped. Positions are percentages, so that it fits any screen. */
import type { HierarchyRectangularNode } from 'd3-hierarchy'
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'
import type { Html } from './html.ts'
import { html } from './html.ts'

export interface Group {
  readonly name: string
  readonly areas: readonly Area[]
}

export interface Area {
  readonly name: string
  readonly size: number
  /** Selects the colour. */
  readonly kind: string
  /** Id of the element with details. */
  readonly target?: string
}

/** Size of the layout before it's scaled to percentages, and the height of a group's name in it. */
const WIDTH = 1200
const HEIGHT = 600
const NAME_HEIGHT = 24

type Node = HierarchyRectangularNode<Group | Area | { readonly areas: readonly Group[] }>

/** @param unit formats a size */
export function treemapOf(groups: readonly Group[], unit: (size: number) => string): Html {
  const root = hierarchy<Node['data']>({ areas: groups }, (one) =>
    'areas' in one ? one.areas : undefined,
  )
    .sum((one) => ('size' in one ? one.size : 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const layout = treemap<Node['data']>()
    .tile(treemapSquarify)
    .size([WIDTH, HEIGHT])
    .paddingTop(({ depth }) => (depth === 1 ? NAME_HEIGHT : 0))
  return html`<div class="treemap">
    ${shownIn(layout(root)).map((group) => groupOf(group, unit))}
  </div>`
}

/** Returns the children that have a size. */
function shownIn({ children = [] }: Node): readonly Node[] {
  return children.filter(({ value }) => value !== 0)
}

function groupOf(group: Node, unit: (size: number) => string): Html {
  const { name } = group.data as Group
  const size = unit(group.value ?? 0)
  const inside = { ...group, y0: group.y0 + NAME_HEIGHT }
  return html`<div class="group" style="${styleOf(group, { x0: 0, y0: 0, x1: WIDTH, y1: HEIGHT })}">
    <button type="button" aria-pressed="false" title="${name}: ${size}">
      <b>${name}</b> <span>${size}</span>
    </button>
    <div class="areas">
      ${shownIn(group).map((area) => areaOf(area.data as Area, styleOf(area, inside), unit))}
    </div>
  </div>`
}

function areaOf(
  { name, size, kind, target }: Area,
  style: string,
  unit: (size: number) => string,
): Html {
  const title = `${name}: ${unit(size)}`
  // The keyboard skips links, because it reaches the rows below that they lead to.
  return target === undefined
    ? html`<span class="area" data-kind="${kind}" title="${title}" style="${style}"
        ><span>${name}</span></span
      >`
    : html`<a
        class="area"
        data-kind="${kind}"
        title="${title}"
        style="${style}"
        href="#${target}"
        tabindex="-1"
        ><span>${name}</span></a
      >`
}

type Rectangle = Pick<Node, 'x0' | 'y0' | 'x1' | 'y1'>

function styleOf({ x0, y0, x1, y1 }: Rectangle, around: Rectangle): string {
  const [width, height] = [around.x1 - around.x0, Math.max(around.y1 - around.y0, 1)]
  const part = (length: number, whole: number): string => `${+((100 * length) / whole).toFixed(3)}%`
  return `left:${part(x0 - around.x0, width)};top:${part(y0 - around.y0, height)};width:${part(x1 - x0, width)};height:${part(y1 - y0, height)}`
}
