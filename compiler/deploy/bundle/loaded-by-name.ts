/** Modules that are loaded by computed names: `import(variable)`. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Node } from 'estree'
import { isFile, isFolder } from '../../util/paths.ts'
import { compiledName } from '../deployment-paths.ts'
import type { DeploymentPaths } from '../deployment-paths.ts'
import { moduleKindOf } from '../../util/module-kind.ts'
import { LOCATE } from '../targets/environment.ts'
import { VIRTUAL } from '../virtual.ts'
import { cookedTexts } from './syntax-tree.ts'

/** The module that loads modules of the bundle by their paths. */
export const BY_NAME: string = `${VIRTUAL}by-name`
const REQUIRED = `${VIRTUAL}required-by-name.cjs`

/** Returns the code of that module, and of a CommonJS module with its `require` calls. @param files what the application loads by computed names */
export function byNameModules(
  files: readonly string[],
  paths: DeploymentPaths,
): [string, string][] {
  const requires = files.filter((file) => moduleKindOf(file) === 'commonjs')
  return [
    [REQUIRED, `module.exports = ${loadsOf(requires, 'require', paths)}`],
    [
      BY_NAME,
      `import { createByName } from '${VIRTUAL}deployed'
import required from '${REQUIRED}'
export const { importByName, requireByName } = createByName(${loadsOf(files, 'import', paths)}, required, ${LOCATE}, (url) => import(url))
`,
    ],
  ]
}

/** Returns the code of an object with functions that load modules, by their paths in the deployment: with the extension of the source (`.ts`) and of its output (`.js`). */
export function loadsOf(
  files: readonly string[],
  load: 'import' | 'require',
  paths: DeploymentPaths,
): string {
  const compiled = files.map((file) => [compiledName(paths.of(file)), file] as const)
  const named = new Map([...compiled, ...files.map((file) => [paths.of(file), file] as const)])
  const loads = [...named].map(
    ([name, file]) => `${JSON.stringify(name)}:()=>${load}(${JSON.stringify(file)})`,
  )
  return `{${loads.join()}}`
}

/** Finds the files of one folder that a partly computed name may mean: `./words/${language}.js`. */
export function candidatesFor(name: Node, file: string): readonly string[] {
  const [first, last] = endsOf(name)
  if (!/^\.{1,2}\//.test(first)) return []
  const start = path.join(path.dirname(file), first)
  const folder = first.endsWith('/') ? start : path.dirname(start)
  const stem = first.endsWith('/') ? '' : path.basename(start)
  if (!isFolder(folder)) return []
  return readdirSync(folder)
    .filter(
      (one) => one.startsWith(stem) && [one, compiledName(one)].some((name) => name.endsWith(last)),
    )
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
