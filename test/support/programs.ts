/** Programs that npm doesn't have, for tests that need the real thing. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface SystemProgram {
  /** The name for people. */
  readonly title: string
  /** As systems call it. */
  readonly names: readonly string[]
  /** The variable that names another one. */
  readonly variable: string
  readonly debian: string
}

/** @throws if it isn't installed: a test that needs it fails rather than skipping it */
export function findProgram({ title, names, variable, debian }: SystemProgram): string {
  const missing = `This test needs ${title}: install it (\`apt-get install ${debian}\`), or name its program in the variable ${variable}.`
  const given = process.env[variable]
  if (given !== undefined && given !== '') {
    if (isProgram(given)) return given
    throw new Error(`There is no program "${given}". ${missing}`)
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  // Programs of servers aren't in everybody's PATH.
  const all = [...folders, '/usr/sbin']
  const found = all.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram)
  if (found === undefined) throw new Error(missing)
  return found
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
