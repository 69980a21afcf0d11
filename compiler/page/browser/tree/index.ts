/** Draws the contexts as a tree: children are beside their parent, or below it on narrow screens. */
import type { HierarchyNode } from 'd3-hierarchy'
import { stratify } from 'd3-hierarchy'
import type { TreeContext } from '../data.ts'
import { element } from '../elements.ts'
import { createCard } from './card.ts'
import { moveBy } from './keys.ts'
import type { Place } from './places.ts'
import { placesOf } from './places.ts'

export interface Tree {
  choose(id: string): void
  /** Highlights contexts with matches; undefined if the search is empty. */
  mark(found: ReadonlySet<string> | undefined): void
}

export type Node = HierarchyNode<TreeContext>

/** Number of contexts to show before the user folds anything. */
const ROWS = 36

/** @param onChoose called when the user selects a context */
export function createTree(
  figure: HTMLElement,
  contexts: readonly TreeContext[],
  onChoose: (id: string) => void,
): Tree {
  const root = stratify<TreeContext>()
    .id(({ id }) => id)
    .parentId(({ parent }) => parent)([...contexts])
  const nodes = new Map(root.descendants().map((node) => [node.data.id, node]))
  const folded = foldedAtFirst(root)
  const area = element('[role=tree]', figure)
  const lines = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  lines.setAttribute('aria-hidden', 'true')
  area.append(lines)
  const cards = new Map([...nodes].map(([id, node]) => [id, createCard(node)]))
  area.append(...cards.values())
  let chosen = root.data.id
  let found: ReadonlySet<string> | undefined

  area.addEventListener('click', ({ target }) => {
    const id = (target as Element).closest<HTMLElement>('[role=treeitem]')?.dataset['id']
    if (id === undefined) return
    if ((target as Element).closest('.fold') !== null) fold(id, !folded.has(id))
    else onChoose(id)
    focus(id)
  })
  area.addEventListener('keydown', (event) => {
    const id = (event.target as HTMLElement).dataset['id']
    const node = id === undefined ? undefined : nodes.get(id)
    if (node === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const step = moveBy(event.key, node, visible(), (one) => isFolded(one))
    if (step === undefined) return
    event.preventDefault()
    if (step.fold !== undefined) fold(node.data.id, step.fold)
    if (step.choose) onChoose(node.data.id)
    if (step.to !== undefined) focus(step.to.data.id)
  })
  figure.addEventListener('click', ({ target }) => {
    const which = (target as HTMLElement).dataset['fold']
    if (which === undefined) return
    folded.clear()
    if (which === 'all')
      for (const node of nodes.values())
        if (node !== root && node.children) folded.add(node.data.id)
    move()
  })
  figure.hidden = false
  new ResizeObserver(() => {
    area.classList.remove('moves')
    draw()
  }).observe(figure)
  draw()
  return { choose, mark }

  function choose(id: string): void {
    chosen = id
    for (const one of nodes.get(id)?.ancestors().slice(1) ?? []) folded.delete(one.data.id)
    draw()
  }

  function mark(now: ReadonlySet<string> | undefined): void {
    found = now
    draw()
  }

  function fold(id: string, isFolded: boolean): void {
    if (isFolded) folded.add(id)
    else folded.delete(id)
    move()
  }

  function move(): void {
    area.classList.add('moves')
    draw()
  }

  function focus(id: string): void {
    for (const [other, card] of cards) card.tabIndex = other === id ? 0 : -1
    cards.get(id)?.focus()
  }

  /** Matches are never folded away. */
  function isFolded(node: Node): boolean {
    if (node.children === undefined || !folded.has(node.data.id)) return false
    return !node.descendants().some((one) => one !== node && found?.has(one.data.id))
  }

  /** While searching, shows the paths to the matches. */
  function visible(): readonly Node[] {
    const shown: Node[] = []
    root.eachBefore((node) => {
      const isUnfolded = node
        .ancestors()
        .slice(1)
        .every((one) => !isFolded(one))
      const leadsOn =
        found === undefined || node.descendants().some((one) => found?.has(one.data.id))
      if (node === root || (isUnfolded && leadsOn)) shown.push(node)
    })
    return shown
  }

  function draw(): void {
    const shown = visible()
    const picture = placesOf(shown, area.clientWidth)
    area.style.height = `${picture.height}px`
    area.dataset['form'] = picture.form
    lines.setAttribute('width', String(picture.width))
    lines.setAttribute('height', String(picture.height))
    const hasStop = shown.some((node) => cards.get(node.data.id)?.tabIndex === 0)
    for (const [id, node] of nodes) {
      const card = cards.get(id) as HTMLElement
      const place = picture.places.get(node)
      card.hidden = place === undefined
      if (place === undefined) {
        card.tabIndex = -1
        continue
      }
      put(card, place)
      if (!hasStop)
        card.tabIndex =
          id === chosen || (node === root && !shown.includes(nodes.get(chosen) as Node)) ? 0 : -1
      card.setAttribute('aria-selected', String(id === chosen))
      card.classList.toggle('missed', found !== undefined && !found.has(id))
      if (node.children === undefined) continue
      const hidden = isFolded(node) ? node.descendants().length - 1 : 0
      card.setAttribute('aria-expanded', String(hidden === 0))
      element('.fold', card).textContent = hidden === 0 ? '−' : `+${hidden}`
    }
    lines.replaceChildren(...picture.lines.map(lineOf))
  }
}

function put(card: HTMLElement, { x, y, width }: Place): void {
  card.style.transform = `translate(${x}px, ${y}px)`
  card.style.width = `${width}px`
}

function lineOf(d: string): SVGPathElement {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', d)
  return path
}

/** Expand nodes near the root while they still fit in view. */
function foldedAtFirst(root: Node): Set<string> {
  const folded = new Set<string>()
  let rows = 1
  // Visits nodes level by level.
  for (const node of root) {
    const { children = [], data } = node
    const isSeen = node.parent === null || !folded.has(node.parent.data.id)
    if (isSeen && rows + children.length <= ROWS) rows += children.length
    else if (children.length > 0) folded.add(data.id)
  }
  return folded
}
