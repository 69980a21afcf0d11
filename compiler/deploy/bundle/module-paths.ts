/** Paths of a module, such as `__dirname` and `import.meta.url`. esbuild replaces them by identifiers, which get their value in the deployment later. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { LOCATE, urlExpression } from '../targets/environment.ts'

interface ModulePath {
  /** Returns the value for a source file. */
  valueIn(file: string): string
  /** Returns code for the value at a path in the deployment. */
  codeIn(deployed: string): string
}

const identifiers: ReadonlyMap<string, ModulePath> = new Map([
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

/** Returns code for `import.meta` as a value, at a path in the deployment. It lacks `main`, as on Node 20: what reads it compares paths then. */
export function metaOf(file: string): string {
  const [dirname, filename, url] = [...identifiers.values()].map((one) => one.codeIn(file))
  return `{__proto__:null,dirname:${dirname},filename:${filename},url:${url}}`
}

/** Replacements that esbuild makes, unless a module declares the name itself. */
export const pathDefines: Readonly<Record<string, string>> = {
  __dirname: '__folderOfModule',
  __filename: '__fileOfModule',
  'import.meta.dirname': '__folderOfModule',
  'import.meta.filename': '__fileOfModule',
  'import.meta.url': '__urlOfModule',
  // The deployment starts an application that listens only as the main module.
  'import.meta.main': 'false',
}

/** As `pathDefines`, for an entry that starts itself. */
export const mainDefines: Readonly<Record<string, string>> = {
  ...pathDefines,
  'import.meta.main': 'true',
  'require.main': 'module',
  'require.main.filename': '__fileOfModule',
}

export function modulePathOf(name: string): ModulePath | undefined {
  return identifiers.get(name)
}
