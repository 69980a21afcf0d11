/** Computes the positions of the tree's cards. */
import type { Node } from './index.ts'

export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

export interface Picture {
  readonly form: 'columns' | 'list'
  readonly places: ReadonlyMap<Node, Place>
  /** Paths from each context to its children. */
  readonly lines: readonly string[]
  readonly width: number
  readonly height: number
}

/** In pixels. */
const CARD = { height: 46, least: 136, most: 248 }
const GAP = { rows: 10, columns: 26 }
const STEP = 22
const MIDDLE = CARD.height / 2
const CURVE = 8

/** @param shown visible nodes, parents before children */
export function placesOf(shown: readonly Node[], room: number): Picture {
  const levels = Math.max(...shown.map(({ depth }) => depth)) + 1
  const width = Math.min((room + GAP.columns) / levels - GAP.columns, CARD.most)
  return width >= CARD.least ? inColumns(shown, Math.floor(width), room) : asList(shown, room)
}

/** Places a parent beside its first child. */
function inColumns(shown: readonly Node[], width: number, room: number): Picture {
  const places = new Map<Node, Place>()
  const drawn = new Set(shown)
  let row = 0
  for (const node of shown) {
    const y = row * (CARD.height + GAP.rows)
    places.set(node, { x: node.depth * (width + GAP.columns), y, width })
    const goesOn = node.children?.some((child) => drawn.has(child)) === true
    if (!goesOn) row++
  }
  const lines = linesOf(shown, places, (parent, child) => {
    const [left, right] = [parent.x + parent.width, child.x]
    const middle = right - GAP.columns / 2
    const [top, end] = [parent.y + MIDDLE, child.y + MIDDLE]
    if (top === end) return `M${left} ${top}H${right}`
    return `M${left} ${top}H${middle - CURVE}Q${middle} ${top} ${middle} ${top + CURVE}V${end - CURVE}Q${middle} ${end} ${middle + CURVE} ${end}H${right}`
  })
  return { form: 'columns', places, lines, width: room, height: heightOf(row) }
}

/** Places each node in its own row, indented by depth. */
function asList(shown: readonly Node[], room: number): Picture {
  const places = new Map<Node, Place>()
  const deepest = Math.max(...shown.map(({ depth }) => depth))
  // However deep it is, a card keeps room for its name.
  const step = Math.min(STEP, (room - CARD.least) / Math.max(deepest, 1))
  shown.forEach((node, row) => {
    const x = Math.max(node.depth * step, 0)
    places.set(node, { x, y: row * (CARD.height + GAP.rows), width: room - x })
  })
  const lines = linesOf(shown, places, (parent, child) => {
    const x = parent.x + Math.min(step / 2, STEP / 2)
    const end = child.y + MIDDLE
    return `M${x} ${parent.y + CARD.height}V${end - CURVE}Q${x} ${end} ${Math.min(x + CURVE, child.x)} ${end}H${child.x}`
  })
  return { form: 'list', places, lines, width: room, height: heightOf(shown.length) }
}

function heightOf(rows: number): number {
  return Math.max(rows * (CARD.height + GAP.rows) - GAP.rows, 0)
}

function linesOf(
  shown: readonly Node[],
  places: ReadonlyMap<Node, Place>,
  line: (parent: Place, child: Place) => string,
): string[] {
  return shown.flatMap((node) => {
    const parent = node.parent === null ? undefined : places.get(node.parent)
    const place = places.get(node)
    return parent === undefined || place === undefined ? [] : [line(parent, place)]
  })
}
