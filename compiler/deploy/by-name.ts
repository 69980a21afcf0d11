import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Node } from 'estree'
import { isFile } from '../util/paths.ts'
import { moduleKindOf } from './module-kind.ts'
import { compiledName } from './places.ts'
import type { Places } from './places.ts'
import { OWN } from './own.ts'
import { cookedTexts } from './syntax/tree.ts'
import { isFolder } from './write.ts'

/** The module that finds modules of the bundle by their places. */
export const BY_NAME: string = `${OWN}by-name`
const REQUIRED = `${OWN}required-by-name.cjs`

/**
 * The modules with what is loaded by names that no bundler can read. Whatever is not among it is left to Node, as seen from
 * the place of the module that asks.
 */
export function byNameModules(files: readonly string[], places: Places): [string, string][] {
  const placed = files.map((file) => [compiledName(places.of(file)), file] as const)
  const imports = placed.map(
    ([place, file]) => `${JSON.stringify(place)}: () => import(${JSON.stringify(file)})`,
  )
  const requires = placed
    .filter(([, file]) => moduleKindOf(file) === 'commonjs')
    .map(([place, file]) => `${JSON.stringify(place)}: () => require(${JSON.stringify(file)})`)
  return [
    [REQUIRED, `module.exports = { ${requires.join(', ')} }`],
    [
      BY_NAME,
      `import { createByName } from '${OWN}runtime'
import required from '${REQUIRED}'
export const { importByName, requireByName } = createByName({ ${imports.join(', ')} }, required, __deployedAt, (url) => import(url))
`,
    ],
  ]
}

/** The files that a name may mean of which the beginning is written down: `./words/${language}.js`. */
export function modulesNear(name: Node, file: string): readonly string[] {
  const [first, last] = endsOf(name)
  if (!/^\.{1,2}\//.test(first)) return []
  const start = path.join(path.dirname(file), first)
  const folder = first.endsWith('/') ? start : path.dirname(start)
  const stem = first.endsWith('/') ? '' : path.basename(start)
  if (!isFolder(folder)) return []
  return readdirSync(folder)
    .filter((one) => compiledName(one).startsWith(stem) && compiledName(one).endsWith(last))
    .filter((one) => /\.(?:[cm]?[jt]sx?|json)$/.test(one) && !/\.d\.[cm]?ts$/.test(one))
    .map((one) => path.join(folder, one))
    .filter((one) => isFile(one) && one !== file)
    .sort()
}

/** Returns the texts that an expression begins and ends with. */
function endsOf(node: Node): readonly [string, string] {
  if (node.type === 'Literal') return [String(node.value), String(node.value)]
  if (node.type === 'TemplateLiteral') {
    const texts = cookedTexts(node)
    return [texts[0] ?? '', texts.at(-1) ?? '']
  }
  if (node.type !== 'BinaryExpression') return ['', '']
  return [endsOf(node.left)[0], endsOf(node.right)[1]]
}
