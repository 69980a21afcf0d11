/** Script of the page that `framework report` writes: draws the tree, folds, searches and shows details. */
import type { TreeContext } from './data.ts'
import { element, elements } from './elements.ts'
import { followGraph } from './graph.ts'
import { createSearch } from './search.ts'
import { createTree } from './tree/index.ts'
import { zoomTreemaps } from './treemap.ts'

const contexts = JSON.parse(element('#tree-data').textContent ?? '') as readonly TreeContext[]
const articles = elements('article.context')

const tree = createTree(element('#tree'), contexts, (id) => {
  choose(id)
  // On narrow screens the details are below the tree.
  const isBelow = element('.details').offsetTop > element('#tree').offsetTop + 1
  if (isBelow) document.getElementById(id)?.scrollIntoView()
})
createSearch((found) => {
  document.body.classList.toggle('searching', found !== undefined)
  tree.mark(found)
})
elements('#schemas').forEach(followGraph)
zoomTreemaps()
addEventListener('hashchange', follow)
document.body.classList.add('live')
follow()
if (chosen() === undefined && contexts[0] !== undefined) choose(contexts[0].id)

/** Shows the details of a context. */
function choose(id: string): void {
  for (const article of articles) article.classList.toggle('chosen', article.id === id)
  tree.choose(id)
}

function chosen(): Element | undefined {
  return articles.find((article) => article.classList.contains('chosen'))
}

/** Follows links to contexts and opens their target. */
function follow(): void {
  const id = decodeURIComponent(location.hash.slice(1))
  const target = id === '' ? null : document.getElementById(id)
  if (target === null) return
  if (target.matches('article.context')) choose(id)
  if (target instanceof HTMLDetailsElement) {
    const more = target.closest<HTMLDetailsElement>('details.more')
    if (more !== null) more.open = true
    target.open = true
    target.scrollIntoView({ block: 'nearest' })
  }
}
