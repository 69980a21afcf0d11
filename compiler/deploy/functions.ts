import type { CompiledArtifact } from '../index.ts'
import { BUILD_ID } from './build-id.ts'
import { MAIN_FILE } from './places.ts'

/** The module that gives the deployment its artifact, and files that it loads when they are needed. */
export interface FunctionsModule {
  readonly code: string
  /** By their paths in the deployment. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * From so many bytes of compiled functions on, most of which a start has no use for, it is cheaper to load those that are asked
 * for from files than to read all of them. `npm run bench:deploy` shows it: this is what two hundred routes have.
 */
const LARGE = 600_000

/**
 * @param hasFiles whether the platform reads files
 * @param large from so many bytes on functions are files
 */
export function functionsModule(
  { output, index }: CompiledArtifact,
  hasFiles: boolean,
  large: number = LARGE,
): FunctionsModule {
  const { heads, parts } = output
  if (!hasFiles || output.bytes < large) {
    return { code: heads.get('worker.mjs') as string, files: new Map() }
  }
  const build = JSON.stringify(BUILD_ID)
  const url = `__deployedAt.url(${JSON.stringify(MAIN_FILE)})`
  return {
    code: `import { openArtifact } from 'framework/internal'
export default openArtifact({ ...${JSON.stringify(index)}, build: ${build}, url: ${url} })
`,
    files: parts,
  }
}
