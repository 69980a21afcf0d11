import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/**
 * Makes a plugin of the application load the Ajv of this compiler instead of the application's own copy, if the major version is the
 * same. Ajv generates code from parts that it recognises by their classes: parts from another copy would become quoted text.
 *
 * @param file the module that is about to be imported
 */
export function shareAjv(file: string): void {
  const ourRoot = rootOf(fileURLToPath(import.meta.url))
  const appRoot = rootOf(file)
  if (ourRoot === undefined || appRoot === undefined || ourRoot === appRoot) return
  if (majorOf(ourRoot) !== majorOf(appRoot)) return
  require('ajv')
  for (const [path, loaded] of Object.entries(require.cache)) {
    if (!path.startsWith(ourRoot + sep)) continue
    const counterpart = join(appRoot, relative(ourRoot, path))
    require.cache[counterpart] ??= loaded
  }
}

function rootOf(file: string): string | undefined {
  try {
    return dirname(createRequire(file).resolve('ajv/package.json'))
  } catch {
    return undefined
  }
}

function majorOf(root: string): string {
  const { version } = require(join(root, 'package.json')) as { version: string }
  return version.split('.')[0] ?? ''
}
