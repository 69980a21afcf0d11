/** Of each folder, by its place relative to the deployment: the names of its files, and of its folders. */
type Listing = Readonly<
  Record<string, readonly [files: readonly string[], folders: readonly string[]]>
>

/** What `readdir` gives with `withFileTypes`. */
interface Entry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
}

/** What stands for `fs.promises` in a package that reads folders to find modules. */
export interface Folders {
  readdir(folder: string): Promise<Entry[]>
  readFile(file: string): Promise<string>
}

/**
 * Lists the folders that the build has read, where there is no file system.
 *
 * @param texts of files, by their places
 * @param locate gives the path of a place
 */
export function createFolders(
  listing: Listing,
  texts: Readonly<Record<string, string>>,
  locate: (place: string) => string,
): Folders {
  const byPath = <T>(table: Readonly<Record<string, T>>): Map<string, T> =>
    new Map(Object.entries(table).map(([place, value]) => [locate(place), value]))
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
