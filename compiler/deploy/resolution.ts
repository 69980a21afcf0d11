import { isBuiltin } from 'node:module'
import path from 'node:path'
import { ResolverFactory } from 'oxc-resolver'
import type { Plugin } from 'rollup'
import { Resolver } from '../1-scan/modules/resolution.ts'
import { SourceFiles } from '../util/source-files.ts'
import { runtimeFolder } from './runtime-folder.ts'
import { isPackageFile } from './module-kind.ts'
import type { Outside } from './outside.ts'
import { OWN } from './own.ts'
import type { Environment } from './targets/environment.ts'
import { foldersInsteadOf } from './targets/folders.ts'
import type { Platform } from './targets/platform.ts'

const runtime = runtimeFolder()

/** What the names of this package, and those of Fastify, mean in a deployment. */
const runtimeFiles: Readonly<Record<string, string>> = {
  fastify: 'index.js',
  framework: 'index.js',
  'framework/fetch': 'fetch.js',
  'framework/internal': 'internal.js',
  'framework/lambda': 'lambda.js',
  'framework/plugin': 'plugin.js',
  [`${OWN}injected-response`]: 'injected-response.js',
  [`${OWN}runtime`]: 'deployed.js',
}

/** What runs in the threads of pino's transports. */
export const logThread: string = path.join(runtime, 'log-thread.js')

export function isRuntimeFile(file: string): boolean {
  return file.startsWith(runtime)
}

/** An import that leads nowhere. */
export interface MissingImport {
  readonly specifier: string
  readonly importer: string
}

/** What a module means by a name; `undefined` for what is not there. */
export type FindModule = (
  specifier: string,
  importer: string,
  isRequire: boolean,
) => string | undefined

const ownModule = /^framework-deploy:(builtin|lacking|missing|required)\/(.*?)(?:\.cjs)?$/

/** The module that gives a function which requires `file`, for ES modules that have made themselves a `require`. */
export function requiredModule(file: string): string {
  return `${OWN}required/${file}.cjs`
}

/** The module that is there for one of Node that the platform has not, and is empty. */
export function lackingModule(name: string): string {
  return `${OWN}lacking/${name}.cjs`
}

/** Resolves modules of the application as the scan does, and those of packages as Node or bundlers for browsers do. */
export function createFinder({ conditions, environment }: Platform): FindModule {
  const sources = new Resolver(new SourceFiles())
  const forImport = packageResolver('import')
  const forRequire = packageResolver('require')
  const ownBuild = path.resolve(runtime, environment.runtime)
  return (specifier, from, isRequire) => {
    const ours = runtimeFiles[specifier]
    if (ours !== undefined) return path.join(ownBuild, ours)
    const isLocal = /^\.{0,2}\/|^\.{1,2}$/.test(specifier)
    // The libraries that a build for other platforms imports are installed with the compiler.
    const isOfBuild = !isLocal && environment.runtime !== '.' && path.dirname(from) === ownBuild
    const importer = isOfBuild ? import.meta.filename : from
    let target = specifier
    if (!isPackageFile(importer)) {
      const kind = isRequire ? 'require' : 'import'
      const found = sources.resolve(specifier, importer, [...conditions, kind])
      if (found.type !== 'file' && found.type !== 'package') return undefined
      if (found.type === 'file') target = found.file
      if (!isPackageFile(target) && found.type === 'file') return target
    }
    const resolver = isRequire ? forRequire : forImport
    const { path: file, error = '' } = resolver.sync(path.dirname(importer), target)
    return file ?? (error.includes('ignored') ? lackingModule(specifier) : undefined)
  }

  function packageResolver(kind: 'import' | 'require'): ResolverFactory {
    const { takesBrowserField } = environment
    return new ResolverFactory({
      conditionNames: [...conditions, kind],
      mainFields: [...(takesBrowserField ? ['browser'] : []), 'main', 'module'],
      aliasFields: takesBrowserField ? ['browser'] : [],
    })
  }
}

export interface ResolutionOptions {
  readonly find: FindModule
  /** Texts of the modules whose names start with `OWN`. */
  readonly own: ReadonlyMap<string, string>
  readonly outside: Outside
  /** Files whose import means the artifact. */
  readonly artifactFiles: ReadonlySet<string>
  /** Beginnings of the names of modules that the platform has. */
  readonly schemes: readonly string[]
  readonly environment: Environment
  readonly onMissing: (missing: MissingImport) => void
}

/** Finds modules as Node finds them when the application runs from its source. */
export function resolution(options: ResolutionOptions): Plugin {
  const { own, find, outside, artifactFiles, schemes, environment, onMissing } = options
  return {
    name: 'framework-resolution',
    resolveId(specifier, importer, { custom, isEntry }) {
      if (own.has(specifier)) return { id: specifier, moduleSideEffects: true }
      if (isEntry || importer === undefined) return null
      const isRequire = requires(custom)
      if (ownModule.test(specifier)) return specifier
      const builtin = builtinOf(specifier)
      const instead = builtin && environment.modules.get(builtin)
      if (instead !== undefined) {
        // Modules of the runtime's build have a default export alone.
        return isRuntimeFile(instead) ? { id: instead, syntheticNamedExports: true } : instead
      }
      if (isBuiltin(specifier)) {
        if (!environment.hasNode) {
          const folders = foldersInsteadOf(builtin, importer)
          return folders !== undefined && own.has(folders) ? folders : lackingModule(builtin)
        }
        if (isRequire) return { id: specifier, external: true }
        const id = `${OWN}builtin/${builtin}`
        return { id, syntheticNamedExports: true, moduleSideEffects: false }
      }
      if (schemes.some((scheme) => `${specifier}:`.startsWith(scheme))) {
        return { id: specifier, external: true }
      }
      const from = importer.startsWith(OWN) ? path.join(runtime, 'index.js') : importer
      if (artifactFiles.has(path.resolve(path.dirname(from), specifier))) return `${OWN}artifact`
      const file = find(specifier, from, isRequire)
      if (file === undefined) {
        if (isRequire) return `${OWN}missing/${specifier}.cjs`
        onMissing({ specifier, importer: from })
        return { id: specifier, external: true }
      }
      return outside.takes(file, specifier) ? { id: specifier, external: true } : file
    },
    resolveDynamicImport(specifier, importer) {
      if (typeof specifier !== 'string' || !isPackageFile(importer)) return null
      if (isBuiltin(specifier) || find(specifier, importer, false) !== undefined) return null
      // Packages ask for what may be installed besides them: as with Node, the import is rejected when it comes to it.
      return { id: specifier, external: true }
    },
    load(id) {
      const text = own.get(id)
      if (text !== undefined) return text
      const [, kind, name = ''] = ownModule.exec(id) ?? []
      if (kind === 'builtin') {
        return `export default process.getBuiltinModule(${JSON.stringify(`node:${name}`)})`
      }
      if (kind === 'lacking') return 'module.exports = {}'
      if (kind === 'required') return `module.exports = () => require(${JSON.stringify(name)})`
      if (kind === 'missing') {
        const message = JSON.stringify(`Cannot find module '${name}'`)
        return `throw Object.assign(new Error(${message}), { code: 'MODULE_NOT_FOUND' })`
      }
      return null
    },
  }
}

/** The module of Node that a name may mean: with a slash behind it, libraries name what stands for one. */
function builtinOf(specifier: string): string {
  return specifier.replace(/^node:/, '').replace(/\/$/, '')
}

/** Whether plugin-commonjs asks for what a `require` means. */
function requires(custom: unknown): boolean {
  const of = (custom ?? {}) as { 'node-resolve'?: { isRequire?: boolean } }
  return of['node-resolve']?.isRequire === true
}
