import type { Node } from 'estree'
import { walk } from 'estree-walker'
import type { Plugin } from 'rollup'
import type { ExternalPackages } from '../external-packages.ts'
import { isPackageFile } from '../../util/paths.ts'
import { isText, nameOf, textOf } from './syntax-tree.ts'

/** Copies the packages that the application names as transports of pino: pino's worker thread loads them by name. */
export function transports(external: ExternalPackages): Plugin {
  return {
    name: 'framework-transports',
    transform(code, id) {
      if (isPackageFile(id) || !/\btarget\b/.test(code) || !/transport/i.test(code)) return null
      const addTarget = (node: Node): void => {
        const isTarget = node.type === 'Property' && nameOf(node.key) === 'target'
        if (isTarget && isText(node.value)) external.add(textOf(node.value), id)
      }
      walk(this.parse(code, { jsx: false }), {
        enter(node) {
          const name =
            (node.type === 'Property' && nameOf(node.key)) ||
            (node.type === 'VariableDeclarator' && nameOf(node.id))
          if (name && /transport/i.test(name)) walk(node, { enter: addTarget })
        },
      })
      return null
    },
  }
}
