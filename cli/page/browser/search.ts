import { element, elements } from './elements.ts'

/**
 * Hides rows that lack one of the words.
 *
 * @param onFound gets the ids of contexts with matches, or undefined if the search is empty
 */
export function createSearch(onFound: (contexts: ReadonlySet<string> | undefined) => void): void {
  const input = element('#search') as HTMLInputElement
  const output = element('output[for=search]')
  const items = elements('[data-search]').map((item) => ({
    item,
    text: (item.textContent ?? '').toLowerCase(),
    context: item.closest('article.context'),
  }))
  input.disabled = false
  input.addEventListener('input', search)
  input.form?.addEventListener('submit', (event) => event.preventDefault())
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    input.value = ''
    search()
  })
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
  // A browser may have restored the input.
  if (input.value !== '') search()

  function search(): void {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const contexts = new Set<string>()
    let count = 0
    for (const { item, text, context } of items) {
      const isFound = words.every((word) => text.includes(word))
      item.classList.toggle('missed', !isFound)
      if (!isFound) continue
      count++
      const more = item.closest<HTMLDetailsElement>('details.more')
      if (more !== null && words.length > 0) more.open = true
      if (context !== null) contexts.add(context.id)
    }
    for (const article of elements('article.context')) {
      article.classList.toggle('missed', !contexts.has(article.id))
    }
    if (words.length === 0) output.textContent = ''
    else output.textContent = count === 0 ? 'nothing found' : `${count} found`
    onFound(words.length === 0 ? undefined : contexts)
  }
}
