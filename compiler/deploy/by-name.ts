import { moduleKindOf } from './module-kind.ts'
import { compiledName } from './places.ts'
import type { Places } from './places.ts'
import { OWN } from './resolution.ts'

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
