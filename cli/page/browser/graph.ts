import { elements } from './elements.ts'

/** While the pointer is over a schema or it has the focus, highlights all schemas that it refers to or that refer to it, directly or not. */
export function followGraph(section: HTMLElement): void {
  const graph = section.querySelector('.graph')
  if (graph === null) return
  const nodes = elements('[data-node]', graph)
  const edges = elements('[data-from]', graph)
  for (const node of nodes) {
    const show = (): void => mark(node.dataset['node'])
    node.addEventListener('pointerenter', show)
    node.addEventListener('focus', show)
    node.addEventListener('pointerleave', () => mark(undefined))
    node.addEventListener('blur', () => mark(undefined))
  }

  function mark(id: string | undefined): void {
    graph?.classList.toggle('marking', id !== undefined)
    const near =
      id === undefined
        ? new Set<string>()
        : new Set([...reach(id, 'from', 'to'), ...reach(id, 'to', 'from')])
    for (const node of nodes) node.classList.toggle('near', near.has(node.dataset['node'] ?? ''))
    for (const edge of edges) {
      const { from = '', to = '' } = edge.dataset
      edge.classList.toggle('near', near.has(from) && near.has(to))
    }
  }

  /** Returns a schema and everything that is reached from it by arrows in one direction. */
  function reach(start: string, from: 'from' | 'to', to: 'from' | 'to'): Set<string> {
    const found = new Set([start])
    // A Set iterates over what is added meanwhile.
    for (const id of found) {
      for (const edge of edges) if (edge.dataset[from] === id) found.add(edge.dataset[to] ?? '')
    }
    return found
  }
}
