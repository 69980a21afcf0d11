/** Draws one context of the tree. */
import { plural } from '../../units.ts'
import { create } from '../elements.ts'
import type { Node } from './index.ts'

/** Further routes are counted. */
const MOST = 18

export function createCard(node: Node): HTMLElement {
  const { id, name, prefix, schemas, hooks, plugins, methods } = node.data
  const card = create('div', 'card')
  card.dataset['id'] = id
  card.setAttribute('role', 'treeitem')
  card.setAttribute('aria-level', String(node.depth + 1))
  card.tabIndex = -1
  const title = create('span', 'name')
  title.append(create('b', '', name))
  if (prefix !== '') title.append(' ', create('code', '', prefix))
  const about = create(
    'span',
    'about',
    aboutOf({ schemas, hooks, plugins }) || (methods.length > 0 ? '' : 'no routes'),
  )
  const squares = create('span', 'squares')
  squares.hidden = methods.length === 0
  squares.setAttribute('role', 'img')
  squares.setAttribute('aria-label', plural(methods.length, 'route'))
  for (const method of methods.slice(0, MOST)) {
    const square = create('i', '')
    square.dataset['method'] = method
    squares.append(square)
  }
  if (methods.length > MOST) squares.append(create('small', '', `+${methods.length - MOST}`))
  const below = create('span', 'below')
  below.append(squares, about)
  card.append(title, below)
  if (node.children !== undefined) {
    const fold = create('span', 'fold')
    // Keys fold as well, and `aria-expanded` announces it.
    fold.setAttribute('aria-hidden', 'true')
    card.append(fold)
  }
  card.title = node
    .ancestors()
    .toReversed()
    .map((one) => one.data.name)
    .join(' › ')
  return card
}

/** Describes what a context adds. */
function aboutOf(counts: Readonly<Record<'schemas' | 'hooks' | 'plugins', number>>): string {
  const names = { schemas: 'schema', hooks: 'hook', plugins: 'plugin' } as const
  return (['schemas', 'hooks', 'plugins'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => plural(counts[name], names[name]))
    .join(' · ')
}
