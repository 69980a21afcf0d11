/** Script of the page that `framework report` writes: folds, searches and shows details. */
import { element, elements } from './elements.ts'
import { followGraph } from './graph.ts'
import { createSearch } from './search.ts'
import { zoomTreemaps } from './treemap.ts'

const articles = elements('article.context')
const cards = elements('.card') as readonly HTMLAnchorElement[]
const tree = element('#tree')

tree.addEventListener('click', (event) => {
  const target = event.target as HTMLElement
  const card = target.closest<HTMLAnchorElement>('.card')
  const { fold } = target.dataset
  if (card !== null) {
    // Following the link would scroll the tree away where the details are beside it.
    event.preventDefault()
    const id = card.hash.slice(1)
    choose(id)
    const isBelow = element('.details').offsetTop > tree.offsetTop + 1
    if (isBelow) document.getElementById(id)?.scrollIntoView()
  } else if (fold !== undefined) {
    for (const list of elements('details', tree) as readonly HTMLDetailsElement[])
      list.open = fold === 'none'
  }
})
createSearch((found) => {
  document.body.classList.toggle('searching', found !== undefined)
  for (const card of cards) {
    const inside = elements('.card', card.parentElement ?? tree) as readonly HTMLAnchorElement[]
    const isMatch = (one: HTMLAnchorElement): boolean => found?.has(one.hash.slice(1)) !== false
    card.classList.toggle('missed', !isMatch(card))
    card.parentElement?.classList.toggle('missed', !inside.some(isMatch))
    if (found !== undefined && isMatch(card)) unfold(card)
  }
})
elements('#schemas').forEach(followGraph)
zoomTreemaps()
addEventListener('hashchange', follow)
document.body.classList.add('live')
follow()
if (element('.details').querySelector('.chosen') === null && articles[0] !== undefined)
  choose(articles[0].id)

/** Shows the details of a context. */
function choose(id: string): void {
  for (const article of articles) article.classList.toggle('chosen', article.id === id)
  for (const card of cards) {
    const isChosen = card.hash === `#${id}`
    card.ariaCurrent = isChosen ? 'true' : null
    if (isChosen) unfold(card)
  }
}

/** Opens the lists that contain a context. */
function unfold(card: HTMLElement): void {
  for (
    let list = card.closest('details');
    list !== null;
    list = list.parentElement?.closest('details') ?? null
  )
    list.open = true
}

/** Shows the target of a link: chooses a context, or opens a row. */
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
