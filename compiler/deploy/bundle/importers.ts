import type { Plugin } from 'rollup'
import { fileOf } from './bundle-problem.ts'

/** The modules that import a module, as files and names. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>

/** Collects who imports the modules of the bundle and those that aren't bundled; `import()` doesn't count. */
export function collectImporters(
  importers: Map<string, Set<string>>,
  externals: Set<string>,
): Plugin {
  return {
    name: 'framework-importers',
    generateBundle(_, files) {
      const chunks = Object.values(files).filter((file) => file.type === 'chunk')
      const included = new Set(chunks.flatMap(({ moduleIds }) => moduleIds))
      for (const id of included) {
        for (const target of this.getModuleInfo(id)?.importedIds ?? []) {
          const isExternal = this.getModuleInfo(target)?.isExternal === true
          const [from, to] = [fileOf(id), fileOf(target)]
          if (isExternal) externals.add(to)
          else if (!included.has(target) || from === to) continue
          const known = importers.get(to) ?? new Set()
          importers.set(to, known.add(from))
        }
      }
    },
  }
}
