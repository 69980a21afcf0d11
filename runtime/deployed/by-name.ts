type Load = () => unknown

export interface ByName {
  /** `import(specifier)` of the module at `place`. */
  importByName(specifier: unknown, place: string): Promise<unknown>
  /** `require(specifier)` of the module at `place`. */
  requireByName(specifier: unknown, place: string): unknown
}

/**
 * Finds modules of a bundle by their places; whatever is none of them is left to Node.
 *
 * @param imports by places relative to the deployment
 * @param requires those of them that `require` loads
 * @param locate gives the path of a place
 * @param load imports what is no part of the bundle
 */
export function createByName(
  imports: Readonly<Record<string, Load>>,
  requires: Readonly<Record<string, Load>>,
  locate: (place: string) => string,
  load: (specifier: string) => Promise<unknown>,
): ByName {
  const { pathToFileURL } = process.getBuiltinModule('node:url')
  const byUrl = (loads: Readonly<Record<string, Load>>): Map<string, Load> =>
    new Map(Object.entries(loads).map(([place, load]) => [pathToFileURL(locate(place)).href, load]))
  let imported: Map<string, Load> | undefined
  let required: Map<string, Load> | undefined
  return {
    async importByName(specifier, place) {
      const url = urlOf(String(specifier), place)
      const bundled = url && (imported ??= byUrl(imports)).get(withoutQuery(url))
      if (bundled) return bundled()
      return load(url ?? fromPlace(place).resolve(String(specifier)))
    },
    requireByName(specifier, place) {
      const name = String(specifier)
      const url = urlOf(name, place)
      required ??= byUrl(requires)
      const bundled =
        url &&
        ['', '.js', '.cjs', '.json', '/index.js']
          .map((end) => required?.get(url + end))
          .find(Boolean)
      return bundled ? bundled() : fromPlace(place)(name)
    },
  }

  function urlOf(specifier: string, place: string): string | undefined {
    if (specifier.startsWith('file:')) return specifier
    if (process.getBuiltinModule('node:path').isAbsolute(specifier)) {
      return pathToFileURL(specifier).href
    }
    return /^\.{1,2}(?:\/|$)/.test(specifier)
      ? new URL(specifier, pathToFileURL(locate(place))).href
      : undefined
  }

  function fromPlace(place: string): NodeJS.Require {
    return process.getBuiltinModule('node:module').createRequire(locate(place))
  }
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '')
}
