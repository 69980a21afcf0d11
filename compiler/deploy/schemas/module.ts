import { digestOf } from '../../../runtime/artifact/digest.ts'
import type { ArtifactFile } from '../../../runtime/artifact/files.ts'
import type { GeneratedModule } from '../compiled-functions.ts'
import { MAIN_FILE } from '../deployment-paths.ts'
import { urlExpression } from '../targets/environment.ts'
import type { OnDemand } from '../targets/platform.ts'
import type { DeploymentSchemas } from './index.ts'
import { quoted } from './replace.ts'

/**
 * Returns the module `SCHEMAS`. It exports `json` and `schema`, which replaced literals call, and `known`, which adds the functions of
 * lazy schemas to the artifact. The texts of lazy schemas, one per line, are in the main file or in one beside it.
 *
 * @param onDemand how a platform loads files; undefined to keep the texts in the main file, as is faster if functions are in it too:
 * reading and checking a file takes as long as parsing code with 200 kB more text
 */
export function schemasModule(
  { table, texts, hasTypes }: DeploymentSchemas,
  onDemand: OnDemand | undefined,
): GeneratedModule {
  const types = hasTypes ? "export { createOnRead } from 'framework/internal'\n" : ''
  const json = `${types}export const json = JSON.parse\n`
  if (texts.length === 0) {
    return { code: `${json}export const known = (artifact) => artifact\n`, files: new Map() }
  }
  const content = texts.join('\n')
  const digest = digestOf(content)
  if (onDemand === 'files') {
    const file = `schemas-${digest}.jsonl`
    const entry: ArtifactFile = { file, size: Buffer.byteLength(content), digest }
    const source = `schemasIn(${urlExpression(MAIN_FILE)}, ${JSON.stringify(entry)})`
    return moduleOf(source, [[file, content]])
  }
  const text = quoted(content)
  if (onDemand === undefined) return moduleOf(`schemasOf(() => ${text})`)
  const name = `schemas-${digest}.js`
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
