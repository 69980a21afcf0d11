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

/** For files of the deployment itself, the same as a function: where it lies is known when they are asked for. */
const LATE_PLACE = `${PLACE}.late`

/** The expression that says where a file lies which is loaded from there: its URL, or what gives it. */
export function placeOf(apart: 'files' | 'late-files', name: string): string {
  return `${apart === 'files' ? `${PLACE}.url` : LATE_PLACE}(${JSON.stringify(name)})`
}

/**
 * One file of CommonJS, where nothing but Node's own modules can be required until it runs beside its files.
 *
 * @param folder the function that gives the folder of the deployment; it is told when that is not the application's concern
 */
export function inSnapshot(folder: string): Environment {
  const here = `${folder}()`
  // Each request for functions asks twice.
  const url = `${builtin('url')}.pathToFileURL(now+"/"+name).href`
  const late = `${LATE_PLACE}=name=>{let last,url;return ()=>{const now=${folder}(true);if(now!==last)url=${url};last=now;return url}};`
  const require = `require=name=>process.getBuiltinModule(name)??${builtin('module')}.createRequire(${PLACE}("index.js"))(name.startsWith("file:")?${builtin('url')}.fileURLToPath(name):name);`
  return { ...onNode(() => here), head: ({ up }) => placeFunction(here, up) + late + require }
}

function placeFunction(here: string, up: string): string {
  return `const ${PLACE}=place=>${builtin('path')}.join(${here},${JSON.stringify(up)},place);${PLACE}.url=place=>${builtin('url')}.pathToFileURL(${PLACE}(place)).href;`
}

function builtin(name: string): string {
  return `process.getBuiltinModule("node:${name}")`
}
