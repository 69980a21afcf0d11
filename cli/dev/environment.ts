import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { isFileError } from '../../compiler/util/source-files.ts'
import { refusal } from '../parse.ts'

/**
 * The environment with what files add to it: as in Node, the environment itself comes first, and later files before earlier ones.
 *
 * @throws UsageError for a file that cannot be read
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
    throw refusal(`\`--env-file\` names "${file}", which cannot be read (${error.code}).`)
  }
}
