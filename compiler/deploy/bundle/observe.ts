import path from 'node:path'
import type { Plugin } from 'rollup'
import { moduleKindOf } from '../../util/module-kind.ts'
import { VIRTUAL } from '../virtual.ts'
import { fileOf } from './bundle-problem.ts'
import { hasTopLevelAwait } from './syntax-tree.ts'

/** The modules that import a module, as files and names. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>

/** Facts about the modules that are known once they're bundled. */
export interface Observed {
  readonly importers: Map<string, Set<string>>
  /** Names of modules that aren't bundled. */
  readonly externals: Set<string>
  /** Modules with a top-level `await`. */
  readonly asyncModules: string[]
}

/**
 * Collects these facts. `import()` adds neither importers nor externals.
 *
 * @param required packages that functions of `createRequire` load from beside the bundle, with the modules that call them
 */
export function observe(
  { importers, externals, asyncModules }: Observed,
  required: Importers,
): Plugin {
  return {
    name: 'framework-observe',
    moduleParsed({ id, ast }) {
      const isVirtual = id.startsWith(VIRTUAL) || /[\0?]/.test(id) // the convention of Rollup's plugins
      if (ast === null || isVirtual || moduleKindOf(id) !== 'module') return
      if (hasTopLevelAwait(ast)) asyncModules.push(id)
    },
    generateBundle(_, files) {
      const chunks = Object.values(files).filter((file) => file.type === 'chunk')
      const included = new Set(chunks.flatMap(({ moduleIds }) => moduleIds))
      const add = (to: string, from: string): void =>
        void importers.set(to, (importers.get(to) ?? new Set()).add(from))
      for (const [name, files] of required) {
        for (const file of files) {
          if (!included.has(file)) continue
          externals.add(name)
          add(name, file)
        }
      }
      for (const id of included) {
        for (const target of this.getModuleInfo(id)?.importedIds ?? []) {
          const isEmitted = path.posix.normalize(target) in files
          if (isEmitted) continue
          // CommonJS modules get them from such a module, which the bundle doesn't contain.
          const isProxy = target.endsWith('?commonjs-external')
          const isExternal = isProxy || this.getModuleInfo(target)?.isExternal === true
          const [from, to] = [fileOf(id), fileOf(target)]
          if (isExternal) externals.add(to)
          // A CommonJS file becomes several modules that import each other.
          else if (!included.has(target) || from === to) continue
          add(to, from)
        }
      }
    },
  }
}
