import { checksumOf } from '../../../runtime/artifact/files/checksum.ts'
import type { ArtifactFile } from '../../../runtime/artifact/files/index.ts'
import { BUILD_ID } from '../build-id.ts'
import type { StrippedSchemas } from './index.ts'
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
 * @param inFile whether the schemas are in a file. To read one and check it takes as long as to pass over a text of 200 kB in the
 * code, unless functions are read from files too.
 */
export function schemasModule({ table, texts }: StrippedSchemas, inFile: boolean): SchemasModule {
  const json = 'export const json = JSON.parse\n'
  if (texts.length === 0) {
    return { code: `${json}export const known = (artifact) => artifact\n`, files: new Map() }
  }
  const content = texts.join('\n')
  const about: ArtifactFile = {
    file: FILE,
    size: Buffer.byteLength(content),
    checksum: checksumOf(content),
  }
  const source = inFile
    ? `schemasIn(__deployedAt.url(${JSON.stringify(FILE)}), ${JSON.stringify(about)}, ${JSON.stringify(BUILD_ID)})`
    : `schemasOf(${quoted(content)})`
  return {
    code: `import { openSchemas, schemasIn, schemasOf } from 'framework/internal'
${json}export const { schema, known } = openSchemas(${JSON.stringify(table)}, ${source})
`,
    files: new Map(inFile ? [[FILE, content]] : []),
  }
}
