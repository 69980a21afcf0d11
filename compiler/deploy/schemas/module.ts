import { digestOf } from '../../../runtime/artifact/digest.ts'
import type { ArtifactFile } from '../../../runtime/artifact/files/index.ts'
import { BUILD_ID } from '../build-id.ts'
import type { GeneratedModule } from '../compiled-functions.ts'
import { urlExpression } from '../targets/environment.ts'
import type { OnDemand } from '../targets/platform.ts'
import type { DeploymentSchemas } from './index.ts'
import { quoted } from './replace.ts'

/** Contains one lazy schema per line. */
const FILE = 'schemas.jsonl'

/**
 * Returns the module with the functions that return schemas.
 *
 * @param onDemand how schemas are loaded if they aren't in the main file. Only worth it if functions are loaded like this too: reading
 * and checking a file takes as long as parsing code with 200 kB more text.
 */
export function schemasModule(
  { table, texts }: DeploymentSchemas,
  onDemand: OnDemand | undefined,
): GeneratedModule {
  const json = 'export const json = JSON.parse\n'
  if (texts.length === 0) {
    return { code: `${json}export const known = (artifact) => artifact\n`, files: new Map() }
  }
  const content = texts.join('\n')
  if (onDemand === 'files') {
    const size = Buffer.byteLength(content)
    const entry: ArtifactFile = { file: FILE, size, digest: digestOf(content) }
    const args = [urlExpression(FILE), JSON.stringify(entry), JSON.stringify(BUILD_ID)]
    return moduleOf(`schemasIn(${args.join(', ')})`, [[FILE, content]])
  }
  const text = quoted(content)
  if (onDemand === undefined) return moduleOf(`schemasOf(() => ${text})`)
  const name = `schemas-${digestOf(content)}.js`
  const load = `schemasOf(() => loadModule(${JSON.stringify(name)}))`
  return moduleOf(load, [[name, `export default ${text}\n`]])

  function moduleOf(source: string, files: readonly [string, string][] = []): GeneratedModule {
    return {
      code: `import { loadModule, openSchemas, schemasIn, schemasOf } from 'framework/internal'
${json}export const { schema, known } = openSchemas(${JSON.stringify(table)}, ${source})
`,
      files: new Map(files),
    }
  }
}
