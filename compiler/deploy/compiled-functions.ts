import { digestOf } from '../../runtime/artifact/digest.ts'
import type { CompiledArtifact } from '../result.ts'
import { MAIN_FILE } from './deployment-paths.ts'
import { urlExpression } from './targets/environment.ts'
import type { OnDemand } from './targets/platform.ts'

/** A virtual module, and files beside the bundle that it loads on demand. */
export interface GeneratedModule {
  readonly code: string
  /** Contents by path in the deployment. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * Size of validators and serializers, in bytes, from which on it's faster to load them on demand than to read all of them at start.
 * About 200 to 300 routes reach it. Measured by `npm run bench:deploy` and `npm run bench:workerd`.
 */
const ON_DEMAND_SIZE = 600_000

/** Returns the module that exports the artifact, with all functions in it or in files that it loads on demand. */
export function functionsModule(
  artifact: CompiledArtifact,
  onDemand: OnDemand | undefined,
  onDemandSize: number = ON_DEMAND_SIZE,
): GeneratedModule {
  const { entryFiles, bytes } = artifact.output
  if (onDemand === undefined || bytes < onDemandSize) {
    return { code: entryFiles.get('worker.mjs') ?? '', files: new Map() }
  }
  return onDemand === 'files' ? inFiles(artifact) : inModules(artifact)
}

function inFiles({ output: { index, parts, imported } }: CompiledArtifact): GeneratedModule {
  return {
    code: `${imported.imports}import { openArtifact } from 'framework/internal'
export default openArtifact({ ...${JSON.stringify(index)}, isDeployed: true, url: ${urlExpression(MAIN_FILE)}${imported.members} })
`,
    files: parts,
  }
}

/** Puts the functions into modules beside the main file, like all other modules that the platform's configuration lists. */
function inModules({ output }: CompiledArtifact): GeneratedModule {
  const files = new Map<string, string>()
  const chunks = output.modules().map(({ source, count }) => {
    const name = `functions-${digestOf(source)}.js`
    files.set(name, source)
    return [name, count]
  })
  return {
    code: `${output.imported.imports}import { functionsIn, openEagerArtifact } from 'framework/internal'
export default openEagerArtifact({ ...${JSON.stringify(output.eager)}${output.imported.members}, functions: functionsIn(${JSON.stringify(chunks)}) })
`,
    files,
  }
}
