import { digestOf } from '../../runtime/artifact/digest.ts'
import type { CompiledArtifact } from '../compile.ts'
import { BUILD_ID } from './build-id.ts'
import { MAIN_FILE } from './places.ts'
import { PLACE } from './targets/environment.ts'
import type { Apart } from './targets/platform.ts'

/** The module that gives the deployment its artifact, and files that it loads when they are needed. */
export interface FunctionsModule {
  readonly code: string
  /** By their paths in the deployment. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * From so many bytes of compiled functions on, most of which a start has no use for, it is cheaper to load those that are asked
 * for than to read all of them. `npm run bench:deploy` shows it of files, `npm run bench:workerd` of modules: two to three hundred
 * routes have so many.
 */
const LARGE = 600_000

/**
 * @param apart how the platform loads what is not in the main file
 * @param large from so many bytes on functions are not
 */
export function functionsModule(
  artifact: CompiledArtifact,
  apart: Apart | undefined,
  large: number = LARGE,
): FunctionsModule {
  const { entryFiles, bytes } = artifact.output
  if (apart === undefined || bytes < large) {
    return { code: entryFiles.get('worker.mjs') as string, files: new Map() }
  }
  switch (apart) {
    case 'files':
      return inFiles(artifact)
    case 'modules':
      return inModules(artifact)
  }
}

function inFiles({ output: { index, parts } }: CompiledArtifact): FunctionsModule {
  const build = JSON.stringify(BUILD_ID)
  const url = `${PLACE}.url(${JSON.stringify(MAIN_FILE)})`
  return {
    code: `import { openArtifact } from 'framework/internal'
export default openArtifact({ ...${JSON.stringify(index)}, build: ${build}, url: ${url} })
`,
    files: parts,
  }
}

/** Beside the main file, as the other modules: a platform is told of all of them in the same way. */
function inModules({ output }: CompiledArtifact): FunctionsModule {
  const { eager } = output
  const files = new Map<string, string>()
  const chunks = output.modules().map(({ source, count }) => {
    const name = `functions-${digestOf(source)}.js`
    files.set(name, source)
    return [name, count]
  })
  return {
    code: `import { functionsIn, openEagerArtifact } from 'framework/internal'
export default openEagerArtifact({ ...${JSON.stringify(eager)}, functions: functionsIn(${JSON.stringify(chunks)}) })
`,
    files,
  }
}
