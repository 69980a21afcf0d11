/** Functions that load modules of the bundle, by path in the deployment. */
type Loads = Readonly<Record<string, Load>>
type Load = () => unknown

/** Returns the absolute path, or the URL, of a path in the deployment. */
interface Locate {
  (file: string): string
  url(file: string): string
}

/** Endings to try after the name that `require` gets. */
const ENDINGS = ['', '.js', '.cjs', '.json', '/index.js']

interface ByName {
  /** Runs `import(specifier)` in the module at `from`. @param near candidates, if a part of the name is written in the source */
  importByName(specifier: unknown, from: string, near?: Loads): Promise<unknown>
  /** Runs `require(specifier)` in the module at `from`. */
  requireByName(specifier: unknown, from: string, near?: Loads): unknown
}

/**
 * Loads modules of the bundle by computed names. The platform loads all others.
 *
 * @param imports the modules that the scan has found
 * @param requires those that `require` can load
 * @param load imports a module that isn't bundled
 */
export function createByName(
  imports: Loads,
  requires: Loads,
  locate: Locate,
  load: (specifier: string) => Promise<unknown>,
): ByName {
  const node = process.getBuiltinModule as typeof process.getBuiltinModule | undefined
  // URLs encode some characters or not, and without Node the deployment may have any URL: only the path counts.
  const keyOf = (url: string): string => decodeURIComponent(new URL(url).pathname)
  const byUrl = (loads: Loads): Map<string, Load> =>
    new Map(Object.entries(loads).map(([file, load]) => [keyOf(locate.url(file)), load]))
  const maps = new WeakMap<Loads, Map<string, Load>>()
  const findIn = (loads: Loads, url: string): Load | undefined => {
    let map = maps.get(loads)
    if (map === undefined) maps.set(loads, (map = byUrl(loads)))
    return map.get(keyOf(url))
  }
  return {
    async importByName(specifier, from, near = {}) {
      const url = urlOf(String(specifier), from)
      const plain = url?.replace(/[?#].*$/, '')
      const bundled = plain && (findIn(imports, plain) ?? findIn(near, plain))
      if (bundled) return bundled()
      return load(url ?? requireFrom(from).resolve(String(specifier)))
    },
    requireByName(specifier, from, near = {}) {
      const name = String(specifier)
      // `require` takes a path, in which `%`, `?` and `#` are ordinary characters; `import` takes a URL.
      const inUrl = node?.('node:path').isAbsolute(name)
        ? fileUrl(name)
        : name.replace(/[%?#]/g, encodeURIComponent)
      const url = urlOf(inUrl, from)?.replace(/\/$/, '')
      const candidates =
        url && ENDINGS.map((end) => findIn(requires, url + end) ?? findIn(near, url + end))
      const load = candidates && candidates.find((one) => one !== undefined)
      return load ? load() : requireFrom(from)(name)
    },
  }

  function urlOf(specifier: string, from: string): string | undefined {
    if (specifier.startsWith('file:')) return specifier
    // Absolute paths are paths of URLs, except for those with a drive.
    if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(specifier)) return new URL(specifier, locate.url(from)).href
    return node?.('node:path').isAbsolute(specifier) ? fileUrl(specifier) : undefined
  }

  function fileUrl(path: string): string {
    return process.getBuiltinModule('node:url').pathToFileURL(path).href
  }

  function requireFrom(from: string): NodeJS.Require {
    return process.getBuiltinModule('node:module').createRequire(locate(from))
  }
}
