import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { isFileError } from '../../compiler/util/source-files.ts'
import { usageError } from '../parse.ts'

/**
 * Returns the environment, extended by files. As in Node, existing variables win over files, and later files
 * over earlier ones.
 *
 * @throws UsageError if a file can't be read
 */
export function environmentOf(files: readonly string[]): NodeJS.ProcessEnv {
  const fromFiles: NodeJS.ProcessEnv = {}
  for (const file of files) Object.assign(fromFiles, parseEnv(textOf(file)))
  return { ...fromFiles, ...process.env }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (!isFileError(error)) throw error
    throw usageError(`\`--env-file\` names "${file}", which cannot be read (${error.code}).`)
  }
}
