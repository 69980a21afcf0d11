import { basename } from 'node:path'
import type { About } from '../../compiler/openapi/index.ts'
import { packageJsonIn } from '../../compiler/util/package-json.ts'

/** Reads name and version from package.json. */
export function aboutOf(root: string): About {
  const { name = basename(root), version = '1.0.0' } = packageJsonIn(root)
  return { name, version }
}
