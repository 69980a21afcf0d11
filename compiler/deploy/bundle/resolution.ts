import path from 'node:path'
import type { Plugin } from 'rollup'
import type { Assets } from '../assets.ts'
import type { ExternalPackages } from '../external-packages.ts'
import { isNodeModule, isTypeScript, moduleKindOf } from '../../util/module-kind.ts'
import { isPackageFile } from '../../util/paths.ts'
import { stubFor } from '../targets/listed-folders.ts'
import type { Platform } from '../targets/platform.ts'
import { substitute, substituteCode, substituted, ARTIFACT, VIRTUAL } from '../virtual.ts'
import { fileOf } from './bundle-problem.ts'
import type { FindModule } from './find-module.ts'
import { isRuntimeFile, runtimeEntry } from './find-module.ts'

/** An import that can't be resolved. */
export interface MissingImport {
  readonly specifier: string
  readonly importer: string
  /** `import()` gets it in a branch, or in code that expects an error. As on Node, that is rejected when it runs. */
  readonly isOptional: boolean
}

export interface ResolutionOptions {
  readonly entry: string
  readonly find: FindModule
  /** Code of virtual modules, by name. */
  readonly virtual: ReadonlyMap<string, string>
  readonly external: ExternalPackages
  /** Entry files of the artifact: importing one of them gives the bundled artifact. */
  readonly artifactFiles: ReadonlySet<string>
  readonly platform: Platform
  readonly assets: Assets
  readonly onMissing: (missing: MissingImport) => void
}

/** Marks the imports that `import()` makes. */
const DYNAMIC = 'framework-dynamic'

/** Resolves imports as Node does when the application runs from its source, and loads virtual modules. */
export function resolution(options: ResolutionOptions): Plugin {
  const { entry, virtual, find, external, artifactFiles, platform, assets, onMissing } = options
  const { environment, schemes = [] } = platform
  // The artifact imports the modules of libraries that the application itself loads.
  const usesRequire = !isTypeScript(entry) && moduleKindOf(entry) === 'commonjs'
  return {
    name: 'framework-resolution',
    resolveId(specifier, importer, { custom, isEntry }) {
      if (virtual.has(specifier)) return { id: specifier, moduleSideEffects: true }
      if (isEntry || importer === undefined) return null
      // The module through which CommonJS modules get what isn't bundled.
      if (importer.endsWith('?commonjs-external')) return { id: specifier, external: true }
      const isOfArtifact = importer === ARTIFACT
      const isRequire = resolvesRequire(custom) || (isOfArtifact && usesRequire)
      if (substituted(specifier)) return specifier
      const builtin = builtinOf(specifier)
      const replacement = environment.replacementOf(builtin)
      if (replacement !== undefined) {
        // The runtime's replacements of Node modules only have a default export.
        return isRuntimeFile(replacement)
          ? { id: replacement, syntheticNamedExports: true }
          : replacement
      }
      if (isNodeModule(specifier)) {
        if (!environment.hasNode) {
          const stub = stubFor(builtin, importer)
          return stub !== undefined && virtual.has(stub) ? stub : substitute('empty', builtin)
        }
        if (isRequire) return { id: specifier, external: true }
        return {
          id: substitute('builtin', builtin),
          syntheticNamedExports: true,
          moduleSideEffects: false,
        }
      }
      // With the colon, it matches the module `bun` as well as `bun:test`.
      if (schemes.some((scheme) => `${specifier}:`.startsWith(scheme))) {
        return { id: specifier, external: true }
      }
      const from = isOfArtifact ? entry : importer.startsWith(VIRTUAL) ? runtimeEntry : importer
      if (artifactFiles.has(path.resolve(path.dirname(from), specifier))) return ARTIFACT
      const file = find(specifier, from, isRequire)
      if (file === undefined) {
        if (isRequire) return substitute('missing', specifier)
        const isNeeded = assets.neededImports.get(fileOf(importer))?.has(specifier) === true
        const isOptional = custom?.[DYNAMIC] === true && !isNeeded
        // Packages import optional packages like this.
        if (!isOptional || !isPackageFile(from))
          onMissing({ specifier, importer: from, isOptional })
        return { id: specifier, external: true }
      }
      if (!external.includes(file, specifier)) return file
      // A module that the platform lacks would end the start, even in a `try`.
      const isTried = isRequire && assets.tried.get(fileOf(importer))?.has(specifier) === true
      return isTried && !platform.hasProcesses
        ? substitute('missing', specifier)
        : { id: specifier, external: true }
    },
    resolveDynamicImport(specifier, importer) {
      if (typeof specifier !== 'string') return null
      return this.resolve(specifier, importer, { skipSelf: false, custom: { [DYNAMIC]: true } })
    },
    load: (id) => virtual.get(id) ?? substituteCode(id) ?? null,
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
