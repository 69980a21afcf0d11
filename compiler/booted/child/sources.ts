/** Resolves imports of the application's files, for both module systems. */
import { Resolver } from '../../util/modules/resolution.ts'
import { SourceFiles } from '../../util/source-files.ts'
import { isApplication } from './places.ts'

const resolver = new Resolver(new SourceFiles())

/** Resolves an import as the scan does: TypeScript sources, path mappings, workspace packages. Returns undefined to leave it to Node. */
export function sourceFileOf(
  specifier: string,
  importer: string,
  conditions: readonly string[],
): string | undefined {
  if (!isApplication(importer)) return undefined
  const found = resolver.resolve(specifier, importer, conditions)
  return found.type === 'file' ? found.file : undefined
}
