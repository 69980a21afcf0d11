/**
 * Draws a treemap: rectangles in proportion to sizes, grouped. Positions are percentages, so that it fits any
 * screen.
 */
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

/** Aspect ratio of the layout, and the height of a group's name in it. */
const WIDTH = 1200
const HEIGHT = 600
const NAME = 24

/** @param unit formats a size */
export function treemapOf(groups: readonly Group[], unit: (size: number) => string): Html {
  const shown = groups.map(({ name, areas }) => ({
    name,
    areas: areas.filter(({ size }) => size > 0),
  }))
  const places = placesOf(shown, ({ areas }) => sumOf(areas), WIDTH, HEIGHT)
  return html`<div class="treemap">
    ${places.map(([group, place]) => groupOf(group, place, unit))}
  </div>`
}

interface Place {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** Largest first. */
function placesOf<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  width: number,
  height: number,
): readonly (readonly [T, Place])[] {
  interface Node {
    readonly item?: T
    readonly children?: readonly Node[]
  }
  const root = hierarchy<Node>({ children: items.map((item) => ({ item })) })
    .sum(({ item }) => (item === undefined ? 0 : sizeOf(item)))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const layout = treemap<Node>().tile(treemapSquarify).size([width, height])
  return (layout(root).children ?? []).map((node) => [node.data.item as T, node])
}

function groupOf({ name, areas }: Group, place: Place, unit: (size: number) => string): Html {
  const [width, height] = [place.x1 - place.x0, Math.max(place.y1 - place.y0 - NAME, 1)]
  const inner = placesOf(areas, ({ size }) => size, width, height)
  const size = unit(sumOf(areas))
  return html`<div class="group" style="${styleOf(place, WIDTH, HEIGHT)}">
    <button type="button" aria-pressed="false" title="${name}: ${size}">
      <b>${name}</b> <span>${size}</span>
    </button>
    <div class="areas">
      ${inner.map(([area, inside]) => areaOf(area, styleOf(inside, width, height), unit))}
    </div>
  </div>`
}

function areaOf(
  { name, size, kind, target }: Area,
  style: string,
  unit: (size: number) => string,
): Html {
  const title = `${name}: ${unit(size)}`
  // The table below is for keyboard users.
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

function styleOf({ x0, y0, x1, y1 }: Place, width: number, height: number): string {
  const part = (length: number, whole: number): string => `${+((100 * length) / whole).toFixed(3)}%`
  return `left:${part(x0, width)};top:${part(y0, height)};width:${part(x1 - x0, width)};height:${part(y1 - y0, height)}`
}

function sumOf(areas: readonly Area[]): number {
  return areas.reduce((sum, { size }) => sum + size, 0)
}
