import { isBuiltin } from 'node:module'
import path from 'node:path'
import { ResolverFactory } from 'oxc-resolver'
import type { Plugin } from 'rollup'
import { Resolver } from '../../1-scan/modules/resolution.ts'
import { SourceFiles } from '../../util/source-files.ts'
import type { ExternalPackages } from '../external-packages.ts'
import { isPackageFile } from '../module-kind.ts'
import { runtimeFolder } from '../runtime-folder.ts'
import type { Environment } from '../targets/environment.ts'
import { stubFor } from '../targets/listed-folders.ts'
import type { Platform } from '../targets/platform.ts'
import { VIRTUAL } from '../virtual.ts'

const runtime = runtimeFolder()

/** Files of the runtime, by the names that import them. */
const runtimeFiles: Readonly<Record<string, string>> = {
  fastify: 'index.js',
  framework: 'index.js',
  'framework/fetch': 'fetch.js',
  'framework/internal': 'internal.js',
  'framework/lambda': 'lambda.js',
  'framework/plugin': 'plugin.js',
  [`${VIRTUAL}injected-response`]: 'injected-response.js',
  [`${VIRTUAL}runtime`]: 'deployed.js',
}

/** The program of the threads of pino's transports. */
export const logThread: string = path.join(runtime, 'log-thread.js')

export function isRuntimeFile(file: string): boolean {
  return file.startsWith(runtime)
}

/** An import that can't be resolved. */
export interface MissingImport {
  readonly specifier: string
  readonly importer: string
}

/** Returns the file that a module imports by a name. */
export type FindModule = (
  specifier: string,
  importer: string,
  isRequire: boolean,
) => string | undefined

const virtualModule = /^framework-deploy:(builtin|empty|missing|required)\/(.*?)(?:\.cjs)?$/

/** Returns the name of a virtual module that exports a function which requires `file`, for ES modules that use `createRequire`. */
export function requiredModule(file: string): string {
  return `${VIRTUAL}required/${file}.cjs`
}

/** Returns the name of an empty virtual module. */
function emptyModule(name: string): string {
  return `${VIRTUAL}empty/${name}.cjs`
}

/** Resolves modules of the application as the scan does, and those of packages as Node or bundlers for browsers do. */
export function createFinder({ conditions, environment }: Platform): FindModule {
  const sources = new Resolver(new SourceFiles())
  const forImport = packageResolver('import')
  const forRequire = packageResolver('require')
  const runtimeBuild = path.resolve(runtime, environment.runtime)
  return (specifier, from, isRequire) => {
    const runtimeFile = runtimeFiles[specifier]
    if (runtimeFile !== undefined) return path.join(runtimeBuild, runtimeFile)
    const isLocal = /^\.{0,2}\/|^\.{1,2}$/.test(specifier)
    // The libraries that the runtime's build for the web imports are installed with the compiler.
    const isOfWebBuild =
      !isLocal && environment.runtime !== '.' && path.dirname(from) === runtimeBuild
    const importer = isOfWebBuild ? import.meta.filename : from
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
    return file ?? (error.includes('ignored') ? emptyModule(specifier) : undefined)
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
  /** Code of virtual modules, by name. */
  readonly virtual: ReadonlyMap<string, string>
  readonly external: ExternalPackages
  /** Entry files of the artifact: importing one of them gives the bundled artifact. */
  readonly artifactFiles: ReadonlySet<string>
  /** Schemes of the platform's own modules. */
  readonly schemes: readonly string[]
  readonly environment: Environment
  readonly onMissing: (missing: MissingImport) => void
}

/** Resolves imports as Node does when the application runs from its source, and loads virtual modules. */
export function resolution(options: ResolutionOptions): Plugin {
  const { virtual, find, external, artifactFiles, schemes, environment, onMissing } = options
  return {
    name: 'framework-resolution',
    resolveId(specifier, importer, { custom, isEntry }) {
      if (virtual.has(specifier)) return { id: specifier, moduleSideEffects: true }
      if (isEntry || importer === undefined) return null
      const isRequire = resolvesRequire(custom)
      if (virtualModule.test(specifier)) return specifier
      const builtin = builtinOf(specifier)
      const replacement = environment.modules.get(builtin)
      if (replacement !== undefined) {
        // Modules of the runtime's build only have a default export.
        return isRuntimeFile(replacement)
          ? { id: replacement, syntheticNamedExports: true }
          : replacement
      }
      if (isBuiltin(specifier)) {
        if (!environment.hasNode) {
          const stub = stubFor(builtin, importer)
          return stub !== undefined && virtual.has(stub) ? stub : emptyModule(builtin)
        }
        if (isRequire) return { id: specifier, external: true }
        const id = `${VIRTUAL}builtin/${builtin}`
        return { id, syntheticNamedExports: true, moduleSideEffects: false }
      }
      if (schemes.some((scheme) => `${specifier}:`.startsWith(scheme))) {
        return { id: specifier, external: true }
      }
      const from = importer.startsWith(VIRTUAL) ? path.join(runtime, 'index.js') : importer
      if (artifactFiles.has(path.resolve(path.dirname(from), specifier)))
        return `${VIRTUAL}artifact`
      const file = find(specifier, from, isRequire)
      if (file === undefined) {
        if (isRequire) return `${VIRTUAL}missing/${specifier}.cjs`
        onMissing({ specifier, importer: from })
        return { id: specifier, external: true }
      }
      return external.includes(file, specifier) ? { id: specifier, external: true } : file
    },
    resolveDynamicImport(specifier, importer) {
      if (typeof specifier !== 'string' || !isPackageFile(importer)) return null
      if (isBuiltin(specifier) || find(specifier, importer, false) !== undefined) return null
      // Packages import optional packages like this. As on Node, the import is rejected when it runs.
      return { id: specifier, external: true }
    },
    load(id) {
      const text = virtual.get(id)
      if (text !== undefined) return text
      const [, kind, name = ''] = virtualModule.exec(id) ?? []
      if (kind === 'builtin') {
        return `export default process.getBuiltinModule(${JSON.stringify(`node:${name}`)})`
      }
      if (kind === 'empty') return 'module.exports = {}'
      if (kind === 'required') return `module.exports = () => require(${JSON.stringify(name)})`
      if (kind === 'missing') {
        const message = JSON.stringify(`Cannot find module '${name}'`)
        return `throw Object.assign(new Error(${message}), { code: 'MODULE_NOT_FOUND' })`
      }
      return null
    },
  }
}

/** Returns the name of Node's module. Libraries import their replacement of it with a slash: `buffer/`. */
function builtinOf(specifier: string): string {
  return specifier.replace(/^node:/, '').replace(/\/$/, '')
}

/** Checks whether @rollup/plugin-commonjs resolves the argument of `require`. */
function resolvesRequire(custom: unknown): boolean {
  const options = (custom ?? {}) as { 'node-resolve'?: { isRequire?: boolean } }
  return options['node-resolve']?.isRequire === true
}
