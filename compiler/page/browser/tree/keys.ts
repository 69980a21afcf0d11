/** Keyboard navigation of the tree, following WAI-ARIA practices. */
import type { Node } from './index.ts'

export interface Step {
  readonly to?: Node | undefined
  readonly fold?: boolean
  readonly choose?: boolean
}

/** @param shown visible nodes in order */
export function moveBy(
  key: string,
  node: Node,
  shown: readonly Node[],
  isFolded: (node: Node) => boolean,
): Step | undefined {
  const position = shown.indexOf(node)
  switch (key) {
    case 'ArrowDown':
      return { to: shown[position + 1] }
    case 'ArrowUp':
      return { to: shown[position - 1] }
    case 'Home':
      return { to: shown[0] }
    case 'End':
      return { to: shown.at(-1) }
    case 'ArrowRight':
      return isFolded(node) ? { fold: false } : { to: node.children?.[0] }
    case 'ArrowLeft':
      return node.children !== undefined && !isFolded(node)
        ? { fold: true }
        : { to: node.parent ?? undefined }
    case 'Enter':
    case ' ':
      return { choose: true }
    default:
      return undefined
  }
}
