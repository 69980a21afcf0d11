/** The environment of code on a platform: Node's modules, or libraries that replace them. */
export interface Environment {
  /** Folder of the runtime's build for the platform, in its package. */
  readonly runtime: string
  /** Files that replace modules of Node, by name without `node:`. */
  readonly modules: ReadonlyMap<string, string>
  /** All other modules of Node can be loaded. */
  readonly hasNode: boolean
  /** Globals of Node that the platform lacks: the file and the export that replace them. */
  readonly globals: Readonly<Record<string, [file: string, name: string]>>
  /** The `browser` field of packages is used. */
  readonly takesBrowserField: boolean
  /** Returns declarations that a file of the bundle with that code needs. */
  intro(code: string, format: 'cjs' | 'es'): string
}

/** A function of the bundle: `__deployedAt(path)` returns the absolute path of a file in the deployment, `__deployedAt.url(path)` its URL. */
export const LOCATE = '__deployedAt'

/** Returns an expression for the URL of a file in the deployment. */
export function urlExpression(file: string): string {
  return `${LOCATE}.url(${JSON.stringify(file)})`
}

/** @param folder returns an expression for the folder of the deployment */
export function onNode(folder: (format: 'cjs' | 'es') => string): Environment {
  return {
    runtime: '.',
    modules: new Map(),
    hasNode: true,
    globals: {},
    takesBrowserField: false,
    intro(code, format) {
      const here = folder(format)
      const locate = `const ${LOCATE}=file=>${builtin('path')}.join(${here},file);${LOCATE}.url=file=>${builtin('url')}.pathToFileURL(${LOCATE}(file)).href;`
      const require = `const require=${builtin('module')}.createRequire(${here}+"/");`
      return [
        code.includes(LOCATE) ? locate : '',
        format === 'es' && /\brequire\b/.test(code) ? require : '',
      ].join('')
    },
  }
}

function builtin(name: string): string {
  return `process.getBuiltinModule("node:${name}")`
}
