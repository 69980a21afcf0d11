import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { isFileError } from '../compiler/util/source-files.ts'
import { usageError } from './parse.ts'

/**
 * Returns the variables of files. As in Node, later files win over earlier ones.
 *
 * @throws UsageError if a file can't be read
 */
export function readEnvironment(files: readonly string[]): Record<string, string> {
  return Object.assign({}, ...files.map((file) => parseEnv(textOf(file)))) as Record<string, string>
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (!isFileError(error)) throw error
    throw usageError(`\`--env-file\` names "${file}", which cannot be read (${error.code}).`)
  }
}
