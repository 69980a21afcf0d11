import type { Line } from '../../runtime/artifact/lines.ts'
import { factoryOf } from './bundle/find-module.ts'
import type { ApplicationStart } from '../model/index.ts'
import { byNameModules } from './bundle/loaded-by-name.ts'
import { compiledName } from './deployment-paths.ts'
import type { DeploymentPaths } from './deployment-paths.ts'
import type { ExternalPackages } from './external-packages.ts'
import { SCHEMAS } from './schemas/replace.ts'
import { listedFolderModules } from './targets/listed-folders.ts'
import type { Platform } from './targets/platform.ts'
import { MAIN, VIRTUAL } from './virtual.ts'

/** Packages that the runtime loads on demand, each with a name: an application that never mentions it doesn't need the package. */
const onDemand = {
  'light-my-request': 'inject',
  pino: 'logger',
  '@fastify/proxy-addr': 'trustProxy',
}

/** Packages of another release than Fastify 4 uses. */
const releases: Readonly<Partial<Record<Line, Readonly<Record<string, string>>>>> = {
  'fastify@5': { 'light-my-request': 'light-my-request-6' },
}

export interface VirtualModulesOptions {
  readonly line: Line
  readonly platform: Platform
  readonly entry: string
  readonly start: ApplicationStart
  /** Classes and objects that the entry exports. */
  readonly exports: readonly string[]
  /** Boots a Worker for its first request. */
  readonly bootsLate: boolean
  /** Code of the module that exports the artifact. */
  readonly artifact: string
  /** Code of the module that exports schemas. */
  readonly schemas: string
  /** All names that the application's files mention. */
  readonly names: ReadonlySet<string>
  readonly external: ExternalPackages
  /** Packages on demand that are bundled in any case. */
  readonly requestedPackages: readonly string[]
  readonly loadedByName: readonly string[]
  /** `undefined` if the scan may not have found all of them. */
  readonly allLoadedByName: readonly string[] | undefined
  readonly paths: DeploymentPaths
  /** The command that makes the deployment, for error messages. */
  readonly command: string
}

/** Lets the main module create applications of the line. */
function mainOf(code: string, line: Line): string {
  return code.replace("from 'framework'", `from '${factoryOf(line)}'`)
}

/** Returns the code of the modules that a deployment adds to the application, by name. */
export function virtualModules(options: VirtualModulesOptions): ReadonlyMap<string, string> {
  const { platform, line, artifact, schemas, names, external, requestedPackages, paths } = options
  const { entry: file, start, exports, bootsLate, loadedByName, allLoadedByName } = options
  const entry = { file, start, exports, bootsLate, path: compiledName(paths.of(file)) }
  const packages = Object.entries(onDemand)
    .filter(([name, mention]) => requestedPackages.includes(name) || names.has(mention))
    .filter(([name]) => !external.packages.has(name))
    .map(([name]) => releases[line]?.[name] ?? name)
    .map((name) => `exports[${JSON.stringify(name)}] = () => require('${name}')`)
  return new Map([
    [MAIN, `import '${VIRTUAL}prelude'\n${mainOf(platform.main(entry), line)}`],
    [`${VIRTUAL}artifact`, artifact],
    [SCHEMAS, schemas],
    [`${VIRTUAL}packages.cjs`, packages.join('\n') || 'module.exports = {}'],
    [
      `${VIRTUAL}prelude`,
      `import { provideArtifact, providePackages } from 'framework/internal'
import artifact from '${VIRTUAL}artifact'
import packages from '${VIRTUAL}packages.cjs'
import { known } from '${SCHEMAS}'
provideArtifact(known(artifact), ${JSON.stringify(options.command)})
providePackages(packages)
${platform.prelude(entry)}`,
    ],
    ...byNameModules(loadedByName, paths),
    ...(allLoadedByName === undefined ? [] : listedFolderModules(allLoadedByName, paths)),
  ])
}
