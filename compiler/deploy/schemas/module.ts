import { digestOf } from '../../../runtime/artifact/digest.ts'
import { checksumOf } from '../../../runtime/artifact/files/checksum.ts'
import type { ArtifactFile } from '../../../runtime/artifact/files/index.ts'
import { BUILD_ID } from '../build-id.ts'
import { urlExpression } from '../targets/environment.ts'
import type { OnDemand } from '../targets/platform.ts'
import type { DeploymentSchemas } from './index.ts'
import { quoted } from './literals.ts'

/** The module with the functions that return schemas, and the files that it reads. */
export interface SchemasModule {
  readonly code: string
  /** Contents by path in the deployment. */
  readonly files: ReadonlyMap<string, string>
}

/** Contains one lazy schema per line. */
const FILE = 'schemas.jsonl'

/**
 * @param onDemand how schemas are loaded if they aren't in the main file. Only worth it if functions are loaded like this too: reading
 * and checking a file takes as long as parsing code with 200 kB more text.
 */
export function schemasModule(
  { table, texts }: DeploymentSchemas,
  onDemand: OnDemand | undefined,
): SchemasModule {
  const json = 'export const json = JSON.parse\n'
  if (texts.length === 0) {
    return { code: `${json}export const known = (artifact) => artifact\n`, files: new Map() }
  }
  const { source, files } = sourceOf(texts.join('\n'), onDemand)
  return {
    code: `import { loadModule, openSchemas, schemasIn, schemasOf } from 'framework/internal'
${json}export const { schema, known } = openSchemas(${JSON.stringify(table)}, ${source})
`,
    files: new Map(files),
  }
}

/** Returns an expression for the texts of schemas, and the files that it reads. */
function sourceOf(
  content: string,
  onDemand: OnDemand | undefined,
): { readonly source: string; readonly files: readonly (readonly [string, string])[] } {
  if (onDemand === 'files') {
    const entry: ArtifactFile = {
      file: FILE,
      size: Buffer.byteLength(content),
      checksum: checksumOf(content),
    }
    const build = JSON.stringify(BUILD_ID)
    return {
      source: `schemasIn(${urlExpression(FILE)}, ${JSON.stringify(entry)}, ${build})`,
      files: [[FILE, content]],
    }
  }
  const text = quoted(content)
  if (onDemand === undefined) return { source: `schemasOf(() => ${text})`, files: [] }
  const name = `schemas-${digestOf(content)}.js`
  return {
    source: `schemasOf(() => loadModule(${JSON.stringify(name)}))`,
    files: [[name, `export default ${text}\n`]],
  }
}
