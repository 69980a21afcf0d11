import { createHash } from 'node:crypto'
import type { OutputBundle } from 'rollup'
import { buildMark, ID_LENGTH } from '../../runtime/artifact/files/build-mark.ts'

/** Placeholder for the build id while bundling. It has the length of an id, so that source maps stay correct. */
export const BUILD_ID: string = '@deployed-build@'

/** Computes the build id from all files, puts it into the code, and appends it to each file. */
export function addBuildId(files: OutputBundle, otherFiles: Iterable<string>): string {
  const hash = createHash('sha256')
  const chunks = Object.values(files).filter((file) => file.type === 'chunk')
  for (const { fileName, code } of chunks) hash.update(`${fileName}\n${code}\n`)
  for (const text of otherFiles) hash.update(`${text}\n`)
  const id = hash.digest('hex').slice(0, ID_LENGTH)
  for (const chunk of chunks) chunk.code = chunk.code.replaceAll(BUILD_ID, id) + buildMark(id)
  return id
}
