import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { About } from '../../compiler/openapi/index.ts'
import { isFile } from '../../compiler/util/paths.ts'

/** Reads name and version from package.json. */
export function aboutOf(root: string): About {
  const file = join(root, 'package.json')
  const { name = basename(root), version = '1.0.0' } = isFile(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<About>)
    : {}
  return { name, version }
}
