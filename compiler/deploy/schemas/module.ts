import { digestOf } from '../../../runtime/artifact/digest.ts'
import { checksumOf } from '../../../runtime/artifact/files/checksum.ts'
import type { ArtifactFile } from '../../../runtime/artifact/files/index.ts'
import { BUILD_ID } from '../build-id.ts'
import type { StrippedSchemas } from './index.ts'
import { PLACE } from '../targets/environment.ts'
import type { Apart } from '../targets/platform.ts'
import { quoted } from './quoted.ts'

/** The module that exports what stands for literals, and files that it reads. */
export interface SchemasModule {
  readonly code: string
  /** By their paths in the deployment. */
  readonly files: ReadonlyMap<string, string>
}

/** The schemas that handles stand for, a line each. */
const FILE = 'schemas.jsonl'

/**
 * @param apart whether the schemas are not in the main file, and how they are loaded then. To read a file and check it takes as long
 * as to pass over a text of 200 kB in the code, unless functions are read from files too.
 */
export function schemasModule(
  { table, texts }: StrippedSchemas,
  apart: Apart | undefined,
): SchemasModule {
  const json = 'export const json = JSON.parse\n'
  if (texts.length === 0) {
    return { code: `${json}export const known = (artifact) => artifact\n`, files: new Map() }
  }
  const { source, files } = sourceOf(texts.join('\n'), apart)
  return {
    code: `import { loadModule, openSchemas, schemasIn, schemasOf } from 'framework/internal'
${json}export const { schema, known } = openSchemas(${JSON.stringify(table)}, ${source})
`,
    files: new Map(files),
  }
}

/** The expression that gives the schemas, and the files that it reads. */
function sourceOf(
  content: string,
  apart: Apart | undefined,
): { readonly source: string; readonly files: readonly (readonly [string, string])[] } {
  if (apart === 'files') {
    const about: ArtifactFile = {
      file: FILE,
      size: Buffer.byteLength(content),
      checksum: checksumOf(content),
    }
    const url = `${PLACE}.url(${JSON.stringify(FILE)})`
    return {
      source: `schemasIn(${url}, ${JSON.stringify(about)}, ${JSON.stringify(BUILD_ID)})`,
      files: [[FILE, content]],
    }
  }
  const text = quoted(content)
  if (apart === undefined) return { source: `schemasOf(() => ${text})`, files: [] }
  const name = `schemas-${digestOf(content)}.js`
  return {
    source: `schemasOf(() => loadModule(${JSON.stringify(name)}))`,
    files: [[name, `export default ${text}\n`]],
  }
}
