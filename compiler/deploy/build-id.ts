import { createHash } from 'node:crypto'
import type { OutputBundle } from 'rollup'
import { buildMark, ID_LENGTH } from '../../runtime/artifact/files/build-mark.ts'

/** Stands for the id in what is joined, until all of it is there: as long as one, so that the places in source maps hold. */
export const BUILD_ID: string = '@deployed-build@'

/**
 * Gives the files of a bundle the id of the build that they are, and ends them with it.
 *
 * @param others what belongs to the build besides
 */
export function identify(files: OutputBundle, others: Iterable<string>): string {
  const hash = createHash('sha256')
  const chunks = Object.values(files).filter((file) => file.type === 'chunk')
  for (const { fileName, code } of chunks) hash.update(`${fileName}\n${code}\n`)
  for (const text of others) hash.update(`${text}\n`)
  const id = hash.digest('hex').slice(0, ID_LENGTH)
  for (const chunk of chunks) chunk.code = chunk.code.replaceAll(BUILD_ID, id) + buildMark(id)
  return id
}
