import path from 'node:path'
import type { CompiledArtifact } from '../compile.ts'
import type { ApplicationStart, Diagnostic, ResolvedOptions } from '../model/index.ts'
import { instancesOf } from '../report/context-path.ts'
import { profileOf } from '../target-profiles/index.ts'
import { displayPath } from '../util/paths.ts'
import type { Assets } from './assets.ts'
import { createAssets } from './assets.ts'
import { BundleError } from './bundle/bundle-error.ts'
import { createFinder } from './bundle/find-module.ts'
import type { Bundle } from './bundle/index.ts'
import { bundle } from './bundle/index.ts'
import { functionsModule } from './compiled-functions.ts'
import type { DeploymentPaths } from './deployment-paths.ts'
import { createDeploymentPaths } from './deployment-paths.ts'
import type { ExternalPackages } from './external-packages.ts'
import { createExternalPackages } from './external-packages.ts'
import type { DeployOptions } from './options.ts'
import { bundleFails } from './problems.ts'
import { extractSchemas } from './schemas/index.ts'
import { schemasModule } from './schemas/module.ts'
import type { Platform } from './targets/platform.ts'
import { virtualModules } from './virtual-modules.ts'

export interface BundledApplication {
  readonly bundled: Bundle
  /** Files of validators and serializers beside the bundle: contents by path. */
  readonly functions: ReadonlyMap<string, string>
  /** All files that the bundle loads on demand. */
  readonly otherFiles: ReadonlyMap<string, string>
  readonly assets: Assets
  readonly external: ExternalPackages
  readonly paths: DeploymentPaths
}

/** Bundles the application with its artifact and its schemas. */
export async function bundleApplication(
  artifact: CompiledArtifact,
  platform: Platform,
  main: string,
  deployOptions: DeployOptions,
  options: ResolvedOptions,
): Promise<BundledApplication | Diagnostic> {
  const { target, external: externalNames = [], include = [], with: requested = [] } = deployOptions
  const { graph } = artifact
  const names = graph?.names ?? allNames
  const paths = createDeploymentPaths(options.root)
  // Transports are loaded by name, in a thread that starts from a file of pino.
  const hasTransports = platform.hasProcesses && names.has('logger') && names.has('transport')
  const external = createExternalPackages(
    [...externalNames, ...(hasTransports ? ['pino'] : [])],
    options.root,
  )
  const assets = createAssets()
  for (const file of include) assets.paths.add(path.resolve(file))
  const { line } = options
  const { hasShortForms } = profileOf(line).schemas
  const [jsonShorthand, ...others] = new Set(
    instancesOf(artifact.tree).map((one) => hasShortForms && one.options.jsonShorthand),
  )
  // Lazy schemas are completed in one way only.
  const keepsSchemas = deployOptions.keepSchemas || others.length > 0
  const literals = keepsSchemas ? [] : (graph?.literals ?? [])
  const extracted = extractSchemas(literals, {
    routes: artifact.routes,
    digests: artifact.output.digests,
    jsonShorthand: jsonShorthand ?? true,
    settings: { texts: artifact.app.settings.texts, contexts: artifact.app.settings.contexts },
  })
  const functions = functionsModule(artifact, platform.onDemand, deployOptions.filesFrom)
  const schemas = schemasModule(extracted, functions.files.size > 0 ? platform.onDemand : undefined)
  const otherFiles = new Map([...functions.files, ...schemas.files])
  const loadedByName = graph?.loadedByName ?? []
  const { entry } = options
  const exports = graph?.exports ?? []
  const entryFiles = ['index.mjs', 'register.js', 'worker.mjs']
  const find = createFinder(platform, line)
  try {
    const bundled = await bundle({
      platform,
      main,
      entry,
      exports,
      find,
      virtual: virtualModules({
        platform,
        line,
        entry,
        start: startOf(artifact),
        exports,
        bootsLate: deployOptions.lateBoot ?? false,
        artifact: functions.code,
        schemas: schemas.code,
        names,
        external,
        requestedPackages: requested,
        loadedByName,
        // Applications are booted for the build if the source doesn't tell everything.
        allLoadedByName: deployOptions.trace ? undefined : graph?.loadedByName,
        paths,
        command: `framework deploy ${displayPath(entry, options.root)} --target ${target}`,
      }),
      external,
      artifactFiles: new Set(entryFiles.map((file) => path.join(options.out, file))),
      paths,
      assets,
      hasTransports,
      loadedByName,
      replacements: extracted.replacements,
      otherFiles,
    })
    return { bundled, functions: functions.files, otherFiles, assets, external, paths }
  } catch (error) {
    if (error instanceof BundleError) return bundleFails(error, options)
    throw error
  }
}

/** How the entry starts; if the source doesn't tell, it's assumed to start itself. */
export function startOf({ graph }: CompiledArtifact): ApplicationStart {
  return graph?.start ?? { kind: 'itself' }
}

/** Names of an application whose source is unknown, so that everything is bundled that it may need. */
const allNames: ReadonlySet<string> = new Set(['inject', 'logger', 'transport', 'trustProxy'])
