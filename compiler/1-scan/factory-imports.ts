/** Finds the files of an application that create an instance, for an error that says the entry doesn't. */
import type { ScanMachine } from './machine.ts'
import type { SourceLocation } from '../model/index.ts'
import { isServerName } from '../util/server-name.ts'
import { namedModules } from './modules/module-syntax.ts'

/** The search ends when it has found more files than this. */
const maxFiles = 200

/** Returns the import of a factory in each file that the entry leads to by imports, even in code that never runs. */
export function findFactoryImports(m: ScanMachine, entry: string): readonly SourceLocation[] {
  const found: SourceLocation[] = []
  const files = new Set([entry])
  // Iterating over a Set includes elements that are added meanwhile.
  for (const file of files) {
    const source = files.size > maxFiles ? undefined : m.project.parse(file)
    if (source === undefined) continue
    const modules = namedModules(source)
    const factory = modules.find(({ specifier }) => isServerName(specifier))
    if (factory !== undefined) found.push(m.project.locate(factory.node))
    for (const { specifier, isRequired } of modules) {
      const next = m.modules.resolve(specifier, file, isRequired)
      if (next !== undefined && !/[\\/]node_modules[\\/]/.test(next)) files.add(next)
    }
  }
  return found
}
