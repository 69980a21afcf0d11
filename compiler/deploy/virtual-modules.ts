/** Writes the modules that a deployment adds to the application. */
import type { LineName } from '../../runtime/artifact/lines.ts'
import { workerEvents } from '../../runtime/deployed/worker-events.ts'
import type { CompiledArtifact } from '../result.ts'
import type { ApplicationStart, ResolvedOptions } from '../model/index.ts'
import { isTypeScript, typescriptEnvironment } from '../util/module-kind.ts'
import { displayPath } from '../util/paths.ts'
import { byNameModules } from './bundle/loaded-by-name.ts'
import type { DeploymentPaths } from './deployment-paths.ts'
import type { ExternalPackages } from './external-packages.ts'
import type { DeployOptions } from './options.ts'
import { SCHEMAS } from './schemas/replace.ts'
import { platforms } from './targets/index.ts'
import { listedFolderModules } from './targets/listed-folders.ts'
import { ARTIFACT, MAIN, VIRTUAL } from './virtual.ts'

/** Packages that the runtime loads on demand, each with the name that an application mentions if it needs the package. */
const onDemand = {
  'light-my-request': 'inject',
  pino: 'logger',
  '@fastify/proxy-addr': 'trustProxy',
}

/** Aliases of packages that a line needs in another release than Fastify 4. */
const aliases: Readonly<Partial<Record<LineName, Readonly<Record<string, string>>>>> = {
  'fastify@5': { 'light-my-request': 'light-my-request-6' },
}

/** For an application whose source is unknown, so that everything that it may need is bundled. */
const allNames: ReadonlySet<string> = new Set(['inject', 'logger', 'transport', 'trustProxy'])

/** Returns all names that the application's files mention. */
export function namesOf({ graph }: CompiledArtifact): ReadonlySet<string> {
  return graph?.names ?? allNames
}

/** Returns how the entry starts. If its source is unknown, it's assumed to start itself. */
export function startOf({ graph }: CompiledArtifact): ApplicationStart {
  return graph?.start ?? { kind: 'itself' }
}

/**
 * Returns whether the first request can load the entry with all its modules, which may need what workerd allows only during requests.
 * Event handlers, classes and objects are needed at start. An entry that listens would not do so again after a failure.
 */
export function canLoadLate(
  { graph }: Pick<CompiledArtifact, 'graph'>,
  target: DeployOptions['target'],
): boolean {
  if (!platforms[target].refusesAtStart || graph === undefined) return false
  const { exports, functions, start } = graph
  return (
    start.kind !== 'itself' &&
    exports.every((name) => name === start.path[0]) &&
    !functions.some((name) => workerEvents.includes(name))
  )
}

interface ModuleContents {
  /** Code of the module that exports the artifact. */
  readonly functions: string
  /** Code of the module that exports schemas. */
  readonly schemas: string
  readonly external: ExternalPackages
  readonly paths: DeploymentPaths
}

/** Returns the code of the modules that a deployment adds to the application, by name. */
export function virtualModules(
  artifact: CompiledArtifact,
  deployOptions: DeployOptions,
  { entry: file, factory, line, root }: ResolvedOptions,
  { functions, schemas, external, paths }: ModuleContents,
): ReadonlyMap<string, string> {
  const { target, lateBoot = false, with: requested = [], trace } = deployOptions
  const { exports = [], functions: handlers = [], loadedByName = [] } = artifact.graph ?? {}
  const platform = platforms[target]
  const entry = {
    file,
    factory,
    start: startOf(artifact),
    exports,
    functions: handlers,
    bootsLate: lateBoot,
    loadsLate: lateBoot && canLoadLate(artifact, target),
    path: paths.of(file),
  }
  const names = namesOf(artifact)
  const packages = Object.entries(onDemand)
    .filter(([name, mention]) => requested.includes(name) || names.has(mention))
    .filter(([name]) => !external.packages.has(name))
    .map(([name]) => aliases[line]?.[name] ?? name)
    .map((name) => {
      const load =
        name === 'pino' && platform.loadLogger ? platform.loadLogger() : `() => require('${name}')`
      return `exports[${JSON.stringify(name)}] = ${load}`
    })
  const command = `framework deploy ${displayPath(file, root)} --target ${target}`
  // With `trace`, the source doesn't show everything.
  const knowsAllNames = artifact.graph !== undefined && !trace
  return new Map([
    [MAIN, `import '${VIRTUAL}prelude'\n${platform.main(entry)}`],
    [ARTIFACT, functions],
    [SCHEMAS, schemas],
    [`${VIRTUAL}packages.cjs`, packages.join('\n') || 'module.exports = {}'],
    [
      `${VIRTUAL}prelude`,
      `${loadedByName.some(isTypeScript) ? `Object.assign(process.env, ${JSON.stringify(typescriptEnvironment)})` : ''}
import { provideArtifact, providePackages } from 'framework/internal'
import artifact from '${ARTIFACT}'
import packages from '${VIRTUAL}packages.cjs'
import { known } from '${SCHEMAS}'
provideArtifact(known(artifact), ${JSON.stringify(command)})
providePackages(packages)
${platform.prelude(entry)}`,
    ],
    ...byNameModules(loadedByName, paths),
    ...(knowsAllNames ? listedFolderModules(loadedByName, paths) : []),
  ])
}
