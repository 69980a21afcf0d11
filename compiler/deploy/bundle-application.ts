import path from 'node:path'
import type { CompiledArtifact } from '../result.ts'
import type { ResolvedOptions } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { instancesOf } from '../report/context-path.ts'
import { profileOf } from '../servers/index.ts'
import { locateImport } from '../util/mentions.ts'
import { Assets } from './assets.ts'
import { createFinder } from './bundle/find-module.ts'
import type { Bundle } from './bundle/index.ts'
import { bundle } from './bundle/index.ts'
import { functionsModule } from './compiled-functions.ts'
import { DeployError } from './deploy-error.ts'
import type { DeploymentPaths } from './deployment-paths.ts'
import { createDeploymentPaths, pathToProject } from './deployment-paths.ts'
import { ExternalPackages } from './external-packages.ts'
import type { DeployOptions } from './options.ts'
import { extractSchemas } from './schemas/index.ts'
import { schemasModule } from './schemas/module.ts'
import type { Platform } from './targets/platform.ts'
import { canLoadLate, namesOf, startOf, virtualModules } from './virtual-modules.ts'

export interface BundledApplication {
  /** The application's entry. Absolute. */
  readonly entry: string
  /** Classes and objects that it exports. */
  readonly exports: readonly string[]
  /** The path from the program to the project, if it's in the project. */
  readonly toProject: string | undefined
  readonly bundled: Bundle
  /** Files of validators and serializers beside the bundle: contents by path. */
  readonly functions: ReadonlyMap<string, string>
  /** All files that the bundle loads on demand. */
  readonly otherFiles: ReadonlyMap<string, string>
  readonly assets: Assets
  readonly external: ExternalPackages
  readonly paths: DeploymentPaths
  /** Modules that are loaded by computed names. Absolute. */
  readonly loadedByName: readonly string[]
}

/** Bundles the application with its artifact and its schemas. @param folder the folder of the program @throws DeployError */
export async function bundleApplication(
  artifact: CompiledArtifact,
  platform: Platform,
  main: string,
  folder: string,
  deployOptions: DeployOptions,
  options: ResolvedOptions,
): Promise<BundledApplication> {
  const { external: externalNames = [], lateBoot = false, target } = deployOptions
  const loadsLate = lateBoot && canLoadLate(artifact, target)
  const { graph } = artifact
  const { exports = [], loadedByName = [] } = graph ?? {}
  const { entry, factory, line, root } = options
  const names = namesOf(artifact)
  const paths = createDeploymentPaths(root)
  const toProject = pathToProject(paths, folder)
  // Transports are loaded by name, in a thread that starts from a file of pino.
  const hasTransports = platform.hasProcesses && names.has('logger') && names.has('transport')
  const external = new ExternalPackages(
    [...externalNames, ...(hasTransports ? ['pino'] : [])],
    root,
  )
  const assets = new Assets()
  const { hasShortForms } = profileOf(line).schemas
  const [jsonShorthand, ...others] = new Set(
    instancesOf(artifact.tree).map((one) => hasShortForms && one.options.jsonShorthand),
  )
  // The deployment expands short forms of lazy schemas the same way for all instances, so their options must agree.
  const keepsSchemas = deployOptions.keepSchemas || others.length > 0
  const literals = keepsSchemas ? {} : (graph ?? {})
  const extracted = extractSchemas(literals, artifact, jsonShorthand ?? true)
  const functions = functionsModule(artifact, platform.onDemand, deployOptions.filesFrom)
  const schemas = schemasModule(extracted, functions.files.size > 0 ? platform.onDemand : undefined)
  const otherFiles = new Map([...functions.files, ...schemas.files])
  const entryFiles = ['index.mjs', 'register.js', 'worker.mjs']
  const code = { functions: functions.code, schemas: schemas.code, external, paths }
  const bundled = await bundle({
    // workerd refuses the same to separate modules that a request imports.
    platform: loadsLate ? { ...platform, isOneFile: true } : platform,
    main,
    entry,
    startsItself: startOf(artifact).kind === 'itself',
    exports,
    find: createFinder(platform, factory, options.root),
    virtual: virtualModules(artifact, deployOptions, options, code),
    external,
    artifactFiles: new Set(entryFiles.map((file) => path.join(options.out, file))),
    paths,
    toProject,
    assets,
    hasTransports,
    loadedByName,
    replacements: extracted.replacements,
  })
  const missing = bundled.missing
    .filter(({ isOptional }) => !isOptional)
    .map(({ specifier, importer }) =>
      diagnostic('AOT_IMPORT_NOT_FOUND', locateImport(importer, specifier, root), specifier),
    )
  if (missing.length > 0) throw new DeployError(...missing)
  const { files } = functions
  return {
    entry,
    exports,
    toProject,
    bundled,
    functions: files,
    otherFiles,
    assets,
    external,
    paths,
    loadedByName,
  }
}
