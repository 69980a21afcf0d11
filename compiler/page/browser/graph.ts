import { elements } from './elements.ts'

/** While a schema is pointed at, those that it refers to and those that refer to it stand out. */
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

  /** All that arrows lead to, one after the other. */
  function reach(start: string, from: 'from' | 'to', to: 'from' | 'to'): Set<string> {
    const found = new Set([start])
    // What is added while it is walked through is walked through as well.
    for (const id of found) {
      for (const edge of edges) if (edge.dataset[from] === id) found.add(edge.dataset[to] ?? '')
    }
    return found
  }
}
