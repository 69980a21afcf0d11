/** The path of a module, as `__dirname` or `import.meta.url`: esbuild replaces it by identifiers, which nothing else uses. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { LOCATE, urlExpression } from '../targets/environment.ts'

interface OwnPath {
  /** Returns its value in the source. */
  valueIn(file: string): string
  /** Returns code for its value in the deployment. */
  codeIn(deployed: string): string
}

const identifiers: ReadonlyMap<string, OwnPath> = new Map([
  [
    '__folderOfModule',
    {
      valueIn: path.dirname,
      codeIn: (file: string) => `${LOCATE}(${JSON.stringify(path.posix.dirname(file))})`,
    },
  ],
  [
    '__fileOfModule',
    {
      valueIn: (file: string) => file,
      codeIn: (file: string) => `${LOCATE}(${JSON.stringify(file)})`,
    },
  ],
  ['__urlOfModule', { valueIn: (file: string) => pathToFileURL(file).href, codeIn: urlExpression }],
])

/** Replacements that esbuild makes, unless a module declares the name itself. */
export const ownPaths: Readonly<Record<string, string>> = {
  __dirname: '__folderOfModule',
  __filename: '__fileOfModule',
  'import.meta.dirname': '__folderOfModule',
  'import.meta.filename': '__fileOfModule',
  'import.meta.url': '__urlOfModule',
}

export function ownPath(name: string): OwnPath | undefined {
  return identifiers.get(name)
}
