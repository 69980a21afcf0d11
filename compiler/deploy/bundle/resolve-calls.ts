/** `require.resolve(name)` and `import.meta.resolve(name)`, which name a file as an import does. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Node, SimpleCallExpression } from 'estree'
import type MagicString from 'magic-string'
import { isNodeModule } from '../../util/module-kind.ts'
import type { Assets } from '../assets.ts'
import { compiledName, type DeploymentPaths } from '../deployment-paths.ts'
import type { ExternalPackages } from '../external-packages.ts'
import { LOCATE, urlExpression } from '../targets/environment.ts'
import type { FindModule } from './find-module.ts'
import { isRuntimeFile } from './find-module.ts'
import { startsProgram } from './named-files.ts'
import { readPathOf } from './path-values.ts'
import { isText, nameOf, textOf } from './syntax-tree.ts'

interface ResolveCallOptions {
  /** The module. */
  readonly file: string
  readonly find: FindModule
  readonly external: ExternalPackages
  readonly paths: DeploymentPaths
  readonly assets: Assets
  /** The platform can start files of the deployment, and load packages beside the bundle. */
  readonly hasProcesses: boolean
  /** Checks whether an expression is a function `require`. */
  isRequire(node: Node): boolean
}

interface ResolveCall {
  readonly kind: 'import' | 'require'
  /** The name, unless it's computed. */
  readonly specifier?: string
  /** The file that becomes part of the deployment. */
  readonly file?: string
}

/** Replaces such calls by paths in the deployment, and notes the files. */
export class ResolveCalls {
  readonly #options: ResolveCallOptions

  constructor(options: ResolveCallOptions) {
    this.#options = options
  }

  /** Returns the file of a call, as its path or URL. */
  valueOf(node: Node): string | URL | undefined {
    const { kind, file } = this.#read(node) ?? {}
    return file !== undefined && kind === 'import' ? pathToFileURL(file) : file
  }

  /**
   * Returns whether the node was replaced as a whole.
   *
   * @param isStep whether the path leads to other files, or isn't used
   */
  replace(node: Node, parent: Node | null, isStep: boolean, text: MagicString): boolean {
    const call = this.#read(node)
    if (call === undefined || node.type !== 'CallExpression') return false
    const { file, kind, specifier } = call
    if (file !== undefined) {
      const located = isStep ? this.#options.paths.of(file) : this.#note(file, call, node, parent)
      const isUrl = kind === 'import'
      const code = isUrl ? urlExpression(located) : `${LOCATE}(${JSON.stringify(located)})`
      text.overwrite(node.start, node.end, code)
      return true
    }
    if (specifier !== undefined && isNodeModule(specifier)) {
      text.overwrite(node.start, node.end, JSON.stringify(specifier))
      return true
    }
    const { paths, assets, file: importer } = this.#options
    // Finds packages beside the bundle, and fails for others as the source does.
    const resolve = `${LOCATE}.require(${JSON.stringify(paths.of(importer))}).resolve`
    const toUrl = 'process.getBuiltinModule("node:url").pathToFileURL'
    const code = kind === 'require' ? resolve : `(name=>${toUrl}(${resolve}(name)).href)`
    text.overwrite(node.callee.start, node.callee.end, code)
    if (specifier === undefined) assets.unknownNames.add(importer)
    return false
  }

  #read(node: Node): ResolveCall | undefined {
    const kind = this.#kindOf(node)
    if (kind === undefined || node.type !== 'CallExpression') return undefined
    const [name, ...others] = node.arguments
    if (name === undefined || others.length > 0 || !isText(name)) return { kind }
    const { file: importer, find, external } = this.#options
    const specifier = textOf(name)
    if (isNodeModule(specifier)) return { kind, specifier }
    const found = find(specifier, importer, kind === 'require')
    // It doesn't look for a file.
    const isUrl = found === undefined && kind === 'import' && /^\.{1,2}\//.test(specifier)
    const file = isUrl ? path.resolve(path.dirname(importer), specifier) : found
    const isFile = file !== undefined && path.isAbsolute(file) && !isRuntimeFile(file)
    return { kind, specifier, ...(isFile && !external.includes(file, specifier) && { file }) }
  }

  #kindOf(node: Node): ResolveCall['kind'] | undefined {
    const isCall = node.type === 'CallExpression' && node.callee.type === 'MemberExpression'
    if (!isCall || nameOf(node.callee) !== 'resolve') return undefined
    const { object } = node.callee as SimpleCallExpression['callee'] & { object: Node }
    if (object.type === 'MetaProperty') return 'import'
    return this.#options.isRequire(object) ? 'require' : undefined
  }

  /** Makes the file part of the deployment, and returns its path there. */
  #note(file: string, { specifier = '' }: ResolveCall, node: Node, parent: Node | null): string {
    const { assets, external, paths, hasProcesses, file: importer } = this.#options
    const isModule = /\.[cm]?[jt]sx?$/.test(file)
    const isStarted = parent !== null && startsProgram(parent, node)
    const isRead = !isModule || !hasProcesses || (parent !== null && readPathOf(parent) === node)
    if (isRead && !isStarted) {
      assets.paths.add(file)
      return paths.of(file)
    }
    // Code may run the file or read it. A copied package allows both.
    const copied =
      isStarted || /^[./#]/.test(specifier) ? undefined : external.add(specifier, importer)
    if (copied !== undefined && file.startsWith(copied.folder + path.sep)) {
      const inside = path.relative(copied.folder, file).split(path.sep)
      return path.posix.join('node_modules', copied.name, ...inside)
    }
    assets.programs.add(file)
    return compiledName(paths.of(file))
  }
}
