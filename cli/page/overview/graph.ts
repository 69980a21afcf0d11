/** Draws the references between shared schemas, from left to right where they form no cycle. */
import { Graph, layout } from '@dagrejs/dagre'
import type { OverviewSchema } from '../../inspect/shared.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'

interface Point {
  readonly x: number
  readonly y: number
}

interface Edge {
  readonly v: string
  readonly w: string
}

/** Approximate width of a letter in the page's font, in pixels. */
const LETTER = 7.4
const MAX_LETTERS = 30
const HEIGHT = 32
const MARGIN = 12
/** Between columns. */
const GAP = 110
/** Space for the number and the borders of a box. */
const PADDING = 56

/** Leaves out schemas without references in either direction. Returns undefined if no schema remains. */
export function graphOf(schemas: readonly OverviewSchema[]): Html | undefined {
  const graph = new Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', nodesep: 10, ranksep: GAP, marginx: MARGIN, marginy: MARGIN })
  graph.setDefaultEdgeLabel(() => ({}))
  const shown = schemas.flatMap((schema, i) => {
    const others = [...schema.refersTo, ...schema.referredBy].filter((other) => other !== i)
    return others.length === 0 ? [] : [{ schema, id: `s${i}`, text: textOf(schema, schemas) }]
  })
  if (shown.length === 0) return undefined
  // Equal widths align the boxes in columns.
  const width = Math.max(...shown.map(({ text }) => text.length)) * LETTER + PADDING
  for (const { id } of shown) graph.setNode(id, { width, height: HEIGHT })
  schemas.forEach(({ refersTo }, i) => {
    for (const other of refersTo) if (other !== i) graph.setEdge(`s${i}`, `s${other}`)
  })
  layout(graph)
  const size = graph.graph() as { readonly width: number; readonly height: number }
  const placeOf = (id: string): Point => graph.node(id) as Point
  const edges = (graph.edges() as readonly Edge[]).map((edge) => {
    const { points } = graph.edge(edge) as { readonly points: readonly Point[] }
    const path = pathOf(placeOf(edge.v), placeOf(edge.w), points.slice(1, -1), width / 2)
    return html`<path
      data-from="${edge.v}"
      data-to="${edge.w}"
      d="${path}"
      marker-end="url(#arrow)"
    />`
  })
  const [across, down] = [rounded(size.width), rounded(size.height)]
  return html`<div class="graph" tabindex="0" role="group" aria-label="Who refers to whom">
    <svg width="${across}" height="${down}" viewBox="0 0 ${across} ${down}">
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 .5 7 4 0 7.5z" />
        </marker>
      </defs>
      <g class="edges">${edges}</g>
      <g class="nodes">
        ${shown.map(({ schema, id, text }) => nodeOf(schema, id, text, placeOf(id), width))}
      </g>
    </svg>
  </div>`
}

/** Shortens a name to its end, and adds the context if several schemas have it. */
function textOf({ id, context }: OverviewSchema, schemas: readonly OverviewSchema[]): string {
  const isOnly = schemas.filter((other) => other.id === id).length === 1
  const name = isOnly ? id : `${id} of ${context.split(' > ').at(-1)}`
  return name.length > MAX_LETTERS ? `…${name.slice(1 - MAX_LETTERS)}` : name
}

function nodeOf(
  { id, context, reach }: OverviewSchema,
  target: string,
  text: string,
  { x, y }: Point,
  width: number,
): Html {
  const [left, top] = [x - width / 2, y - HEIGHT / 2]
  return html`<a href="#${target}" data-node="${target}">
    <title>${id} of ${context}</title>
    <rect
      x="${rounded(left)}"
      y="${rounded(top)}"
      width="${rounded(width)}"
      height="${HEIGHT}"
      rx="7"
    />
    <text x="${rounded(left + 12)}" y="${rounded(y + 5)}">${text}</text>
    <text class="count" x="${rounded(left + width - 12)}" y="${rounded(y + 5)}">${reach}</text>
  </a>`
}

/** Draws a curve that is horizontal at each point. It runs backwards in cycles. */
function pathOf(from: Point, to: Point, between: readonly Point[], half: number): string {
  const side = to.x < from.x ? -half : half
  const start = { x: from.x + side, y: from.y }
  const end = { x: to.x - side, y: to.y }
  // Nothing is in the way between neighbouring columns.
  const isNear = Math.abs(end.x - start.x) < 1.5 * GAP
  let last = start
  const curves = [...(isNear ? [] : between), end].map((point) => {
    const middle = rounded((last.x + point.x) / 2)
    const curve = `C${middle} ${rounded(last.y)} ${middle} ${rounded(point.y)} ${rounded(point.x)} ${rounded(point.y)}`
    last = point
    return curve
  })
  return `M${rounded(start.x)} ${rounded(start.y)}${curves.join('')}`
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10
}
