import { createRequire } from 'node:module'
import path from 'node:path'

/** The folder of the runtime's files: those of the package that is installed beside this one. */
export function runtimeFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('framework/package.json')
  return path.join(path.dirname(manifest), 'dist', path.sep)
}
