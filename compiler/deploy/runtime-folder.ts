import { createRequire } from 'node:module'
import path from 'node:path'

/** Returns the folder with the built files of the runtime, the package that is installed beside the compiler. */
export function runtimeFolder(): string {
  const packageJson = createRequire(import.meta.url).resolve('framework/package.json')
  return path.join(path.dirname(packageJson), 'dist', path.sep)
}
