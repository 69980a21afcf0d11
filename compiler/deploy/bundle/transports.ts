import { walk } from 'estree-walker'
import type { Plugin } from 'rollup'
import type { ExternalPackages } from '../external-packages.ts'
import { isPackageFile } from '../../util/paths.ts'
import { isText, nameOf, textOf } from './syntax-tree.ts'

/** Copies the packages that the application names as transports of pino: its thread loads them by name. */
export function transports(external: ExternalPackages): Plugin {
  return {
    name: 'framework-transports',
    transform(code, id) {
      if (isPackageFile(id) || !/\btarget\b/.test(code) || !/transport/i.test(code)) return null
      let depth = 0
      const isTransport = (name: string | undefined): boolean => /transport/i.test(name ?? '')
      const opens = (node: Parameters<typeof nameOf>[0]): boolean =>
        (node.type === 'Property' && isTransport(nameOf(node.key))) ||
        (node.type === 'VariableDeclarator' && isTransport(nameOf(node.id)))
      walk(this.parse(code, { jsx: false }), {
        enter(node) {
          if (opens(node)) depth++
          const isTarget = depth > 0 && node.type === 'Property' && nameOf(node.key) === 'target'
          if (isTarget && isText(node.value)) external.add(textOf(node.value), id)
        },
        leave(node) {
          if (opens(node)) depth--
        },
      })
      return null
    },
  }
}
