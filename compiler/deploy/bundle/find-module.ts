/** Resolves the imports of a deployment to files. */
import path from 'node:path'
import { ResolverFactory } from 'oxc-resolver'
import { Resolver } from '../../util/modules/resolution.ts'
import { packageJsonIn } from '../../util/package-json.ts'
import { isPackageFile } from '../../util/paths.ts'
import { nodeConditions, ownConditions } from '../../util/node-conditions.ts'
import { SourceFiles } from '../../util/source-files.ts'
import { runtimeFolder } from '../runtime-folder.ts'
import type { Platform } from '../targets/platform.ts'
import { substitute, VIRTUAL } from '../virtual.ts'

const runtime = runtimeFolder()

/** Names that import files of the runtime of the same name. `framework` itself imports `index`. */
const runtimeName = new RegExp(
  `^(?:framework/|${VIRTUAL})(5|deployed|fetch|injected-response|internal|lambda|plugin)$`,
)

/** A file from which virtual modules resolve their imports. */
export const runtimeEntry: string = path.join(runtime, 'index.js')

/** The program of the threads of pino's transports. */
export const logThread: string = path.join(runtime, 'log-thread.js')

export function isRuntimeFile(file: string): boolean {
  return file.startsWith(runtime)
}

/** Returns what an import leads to: a file or a virtual module; `undefined` if nothing is found. */
export type FindModule = (
  specifier: string,
  importer: string,
  isRequire: boolean,
) => string | undefined

const withVersionForNode = new Map<string, boolean>()

/** Checks for the condition `node` in `exports`. */
function namesNode(packageJson: string): boolean {
  let isNamed = withVersionForNode.get(packageJson)
  if (isNamed === undefined) {
    isNamed = /"node":/.test(JSON.stringify(packageJsonIn(path.dirname(packageJson)).exports ?? ''))
    withVersionForNode.set(packageJson, isNamed)
  }
  return isNamed
}

interface PackageResolver extends Pick<ResolverFactory, 'sync'> {
  /** Returns the file for Node, if the package has a version for it. */
  versionForNode(folder: string, target: string): string | undefined
}

/**
 * Resolves modules of the application as the scan does, and those of packages as Node or bundlers for browsers do.
 *
 * @param factory the module that replaces `fastify`
 */
export function createFinder(
  { conditions: ofPlatform, environment, prefersNode = false }: Platform,
  factory: string,
  root: string,
): FindModule {
  const isNode = ofPlatform.includes('node')
  const conditions = [...ofPlatform, ...(isNode ? nodeConditions(root) : ownConditions(root))]
  const sources = new Resolver(new SourceFiles())
  const forImport = packageResolver('import')
  const forRequire = packageResolver('require')
  const runtimeBuild = path.resolve(runtime, environment.runtime)
  return (specifier, from, isRequire) => {
    const name = specifier === 'fastify' ? factory : specifier
    const file = name === 'framework' ? 'index' : runtimeName.exec(name)?.[1]
    if (file !== undefined) return path.join(runtimeBuild, `${file}.js`)
    const isLocal = /^\.{0,2}\/|^\.{1,2}$/.test(specifier)
    // The libraries that the runtime's build for the web imports are installed with the compiler.
    const isOfWebBuild = !isLocal && !environment.hasNode && path.dirname(from) === runtimeBuild
    const importer = isOfWebBuild ? import.meta.filename : from
    let target = specifier
    if (!isPackageFile(importer)) {
      const kind = isRequire ? 'require' : 'import'
      const found = sources.resolve(specifier, importer, [...conditions, kind])
      if (found.type === 'file' && !isPackageFile(found.file)) return found.file
      if (found.type === 'file') target = found.file
      else if (found.type !== 'package') return undefined
    }
    const { sync, versionForNode } = isRequire ? forRequire : forImport
    const folder = path.dirname(importer)
    const forNode = prefersNode ? versionForNode(folder, target) : undefined
    if (forNode !== undefined) return forNode
    // `false` in the field `browser` of a package.json ignores a module.
    const { path: resolved, error = '' } = sync(folder, target)
    return resolved ?? (error.includes('ignored') ? substitute('empty', specifier) : undefined)
  }

  function packageResolver(kind: 'import' | 'require'): PackageResolver {
    const { takesBrowserField } = environment
    const withConditions = (conditionNames: readonly string[]): ResolverFactory =>
      new ResolverFactory({
        conditionNames: [...conditionNames, kind],
        mainFields: [...(takesBrowserField ? ['browser'] : []), 'main', 'module'],
        aliasFields: takesBrowserField ? ['browser'] : [],
      })
    const usual = withConditions(conditions)
    const forNode = withConditions([...conditions.filter((one) => one !== 'browser'), 'node'])
    return {
      sync: (folder, target) => usual.sync(folder, target),
      versionForNode(folder, target) {
        const { path: found, packageJsonPath } = forNode.sync(folder, target)
        return packageJsonPath !== undefined && namesNode(packageJsonPath) ? found : undefined
      },
    }
  }
}
