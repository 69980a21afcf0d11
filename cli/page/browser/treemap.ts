import { elements } from './elements.ts'

/** Clicking a group's name enlarges the group, and clicking it again restores it. */
export function zoomTreemaps(): void {
  for (const treemap of elements('.treemap')) {
    const groups = elements('.group', treemap)
    const zoom = (chosen: Element | null): void => {
      treemap.classList.toggle('zoomed', chosen !== null)
      for (const group of groups) {
        group.classList.toggle('chosen', group === chosen)
        group.querySelector('button')?.setAttribute('aria-pressed', String(group === chosen))
      }
    }
    treemap.addEventListener('click', ({ target }) => {
      const group = (target as Element).closest('.group > button')?.parentElement
      if (group) zoom(group.classList.contains('chosen') ? null : group)
    })
    treemap.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') zoom(null)
    })
  }
}
