import { compiledName } from './places.ts'
import type { Places } from './places.ts'
import type { ApplicationStart } from '../model/index.ts'
import { byNameModules } from './by-name.ts'
import type { Outside } from './outside.ts'
import { OWN } from './own.ts'
import { SCHEMAS } from './schemas/replace.ts'
import { folderModules } from './targets/folders.ts'
import type { Platform } from './targets/platform.ts'

/** Packages that the runtime loads when they are needed, by a name in the application without which they are not. */
const onDemand: Readonly<Record<string, string>> = {
  'light-my-request': 'inject',
  pino: 'logger',
  '@fastify/proxy-addr': 'trustProxy',
}

export interface OwnModulesOptions {
  readonly platform: Platform
  readonly entry: string
  readonly start: ApplicationStart
  readonly exports: readonly string[]
  readonly bootsLate: boolean
  /** `worker.mjs` of the artifact. */
  readonly artifact: string
  /** All names that the application's files mention. */
  readonly names: ReadonlySet<string>
  readonly outside: Outside
  /** Packages on demand that come along in any case. */
  readonly wanted: readonly string[]
  readonly loadedByName: readonly string[]
  /** `undefined` where these may not be all. */
  readonly allLoadedByName: readonly string[] | undefined
  readonly places: Places
  /** What makes the deployment anew. */
  readonly command: string
  /** The text of the module that exports what stands for literals. */
  readonly schemas: string
}

/** The entry of every bundle. */
export const MAIN: string = `${OWN}main`

/** What the deployment adds to the application, by names of modules. */
export function ownModules(options: OwnModulesOptions): ReadonlyMap<string, string> {
  const { platform, artifact, names, wanted, outside, places, schemas } = options
  const { loadedByName, allLoadedByName } = options
  const file = options.entry
  const entry = { ...options, file, place: compiledName(places.of(file)) }
  const packages = Object.keys(onDemand).filter(
    (name) =>
      (wanted.includes(name) || names.has(onDemand[name] as string)) && !outside.packages.has(name),
  )
  return new Map([
    [MAIN, `import '${OWN}prelude'\n${platform.main(entry)}`],
    [`${OWN}artifact`, artifact],
    [SCHEMAS, schemas],
    [
      `${OWN}packages.cjs`,
      packages
        .map((name) => `exports[${JSON.stringify(name)}] = () => require('${name}')`)
        .join('\n') || 'module.exports = {}',
    ],
    [
      `${OWN}prelude`,
      `import { provideArtifact, providePackages } from 'framework/internal'
import artifact from '${OWN}artifact'
import packages from '${OWN}packages.cjs'
import { known } from '${SCHEMAS}'
provideArtifact(known(artifact), ${JSON.stringify(options.command)})
providePackages(packages)
${platform.prelude(entry)}`,
    ],
    ...byNameModules(loadedByName, places),
    ...(allLoadedByName === undefined ? [] : folderModules(allLoadedByName, places)),
  ])
}
