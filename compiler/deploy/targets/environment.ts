/** What code finds around it on a platform: Node's modules, or what stands for them. */
export interface Environment {
  /** The folder, in the package of the runtime, of its build for the platform. */
  readonly runtime: string
  /** Files that stand for modules of Node, by the names of these without `node:`. */
  readonly modules: ReadonlyMap<string, string>
  /** Whether modules of Node that nothing stands for can be asked for when the program runs. */
  readonly hasNode: boolean
  /** What is global on Node and not here: the file and the name of the export that stands for it. */
  readonly globals: Readonly<Record<string, [file: string, name: string]>>
  /** Whether packages are taken as their `browser` field says. */
  readonly takesBrowserField: boolean
  /** What stands in front of a file. */
  head(file: BundledFile): string
}

/** A file of a bundle. */
export interface BundledFile {
  readonly code: string
  readonly format: 'cjs' | 'es'
  /** Where the folder of the deployment lies, as seen from that of the file. */
  readonly up: string
}

/** What is called to say where a place of the deployment lies: `__deployedAt(place)` is a path, `__deployedAt.url(place)` a URL. */
export const PLACE = '__deployedAt'

/** @param folder the expression that gives the folder of the deployment, in a module of that format */
export function onNode(folder: (format: 'cjs' | 'es') => string): Environment {
  return {
    runtime: '.',
    modules: new Map(),
    hasNode: true,
    globals: {},
    takesBrowserField: false,
    head({ code, format, up }) {
      const here = folder(format)
      const place = code.includes(PLACE) ? placeFunction(here, up) : ''
      const require =
        format === 'es' && /\brequire\b/.test(code)
          ? `const require=${builtin('module')}.createRequire(${here}+"/");`
          : ''
      return place + require
    },
  }
}

function placeFunction(here: string, up: string): string {
  return `const ${PLACE}=place=>${builtin('path')}.join(${here},${JSON.stringify(up)},place);${PLACE}.url=place=>${builtin('url')}.pathToFileURL(${PLACE}(place)).href;`
}

function builtin(name: string): string {
  return `process.getBuiltinModule("node:${name}")`
}
