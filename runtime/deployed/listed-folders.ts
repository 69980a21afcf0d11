/** Names of files and folders in each folder, by its path in the deployment. */
type Listing = Readonly<
  Record<string, readonly [files: readonly string[], folders: readonly string[]]>
>

/** An entry that `readdir` returns with `withFileTypes`. */
interface Entry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
}

/** A stub of `fs.promises` for packages that list folders to find modules. */
export interface Folders {
  readdir(folder: string): Promise<Entry[]>
  readFile(file: string): Promise<string>
}

/**
 * Lists folders that the build has read, on platforms without a file system.
 *
 * @param texts contents of files, by path in the deployment
 * @param locate returns the absolute path of a path in the deployment
 */
export function createFolders(
  listing: Listing,
  texts: Readonly<Record<string, string>>,
  locate: (file: string) => string,
): Folders {
  const byPath = <T>(table: Readonly<Record<string, T>>): Map<string, T> =>
    new Map(Object.entries(table).map(([file, value]) => [locate(file), value]))
  let folders: Map<string, Listing[string]> | undefined
  let files: Map<string, string> | undefined
  return {
    async readdir(folder) {
      const found = (folders ??= byPath(listing)).get(folder)
      if (found === undefined) throw notFound('scandir', folder)
      const [names, inner] = found
      return [...names.map((name) => entry(name, true)), ...inner.map((name) => entry(name, false))]
    },
    async readFile(file) {
      const text = (files ??= byPath(texts)).get(file)
      if (text === undefined) throw notFound('open', file)
      return text
    },
  }
}

function entry(name: string, isFile: boolean): Entry {
  return { name, isFile: () => isFile, isDirectory: () => !isFile }
}

function notFound(call: string, path: string): Error {
  const message = `ENOENT: no such file or directory in the deployment, ${call} '${path}'`
  return Object.assign(new Error(message), { code: 'ENOENT', syscall: call, path })
}
