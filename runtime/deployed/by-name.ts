/** Modules of a bundle, by their places relative to the deployment. */
type Loads = Readonly<Record<string, Load>>
type Load = () => unknown

/** Says where a place lies. */
interface Locate {
  (place: string): string
  url(place: string): string
}

/** What `require` tries. */
const ENDS = ['', '.js', '.cjs', '.json', '/index.js']

export interface ByName {
  /** `import(specifier)` of the module at `place`. `near`: what it may mean, as far as it is written down. */
  importByName(specifier: unknown, place: string, near?: Loads): Promise<unknown>
  /** `require(specifier)` of the module at `place`. */
  requireByName(specifier: unknown, place: string, near?: Loads): unknown
}

/**
 * Finds modules of a bundle by their places; whatever is none of them is left to Node.
 *
 * @param imports what is loaded by names that nothing tells
 * @param requires those of them that `require` loads
 * @param locate gives the path of a place, or its URL
 * @param load imports what is no part of the bundle
 */
export function createByName(
  imports: Loads,
  requires: Loads,
  locate: Locate,
  load: (specifier: string) => Promise<unknown>,
): ByName {
  // Where there is no Node, files lie at URLs that are none of files; what has their path is meant.
  const node = process.getBuiltinModule as typeof process.getBuiltinModule | undefined
  const keyOf = node ? String : (url: string) => decodeURIComponent(new URL(url).pathname)
  const byUrl = (loads: Loads): Map<string, Load> =>
    new Map(Object.entries(loads).map(([place, load]) => [keyOf(locate.url(place)), load]))
  const imported = new Map<Loads, Map<string, Load>>()
  const among = (loads: Loads, url: string): Load | undefined => {
    let known = imported.get(loads)
    if (known === undefined) imported.set(loads, (known = byUrl(loads)))
    return known.get(keyOf(url))
  }
  return {
    async importByName(specifier, place, near = {}) {
      const url = urlOf(String(specifier), place)
      const plain = url?.replace(/[?#].*$/, '')
      const bundled = plain && (among(imports, plain) ?? among(near, plain))
      if (bundled) return bundled()
      return load(url ?? fromPlace(place).resolve(String(specifier)))
    },
    requireByName(specifier, place, near = {}) {
      const name = String(specifier)
      const url = urlOf(name, place)
      const bundled = url && ENDS.map((end) => among(requires, url + end) ?? among(near, url + end))
      const load = bundled && bundled.find((one) => one !== undefined)
      return load ? load() : fromPlace(place)(name)
    },
  }

  function urlOf(specifier: string, place: string): string | undefined {
    if (specifier.startsWith('file:')) return specifier
    if (node?.('node:path').isAbsolute(specifier)) {
      return node('node:url').pathToFileURL(specifier).href
    }
    // Without Node, absolute paths are those of URLs.
    return /^(?:\.{0,2}\/|\.{1,2}$)/.test(specifier)
      ? new URL(specifier, locate.url(place)).href
      : undefined
  }

  function fromPlace(place: string): NodeJS.Require {
    return process.getBuiltinModule('node:module').createRequire(locate(place))
  }
}
