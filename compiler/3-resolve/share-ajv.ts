import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/**
 * Lets a plugin of the application that asks for `ajv` have the Ajv that compiles here, also where the application has
 * a copy of its own: Ajv puts code together from pieces that it knows by their classes, so pieces of another copy
 * would come out as quoted text.
 *
 * @param file the module that is about to be imported
 */
export function shareAjv(file: string): void {
  const own = rootOf(fileURLToPath(import.meta.url))
  const theirs = rootOf(file)
  if (own === undefined || theirs === undefined || own === theirs) return
  if (majorOf(own) !== majorOf(theirs)) return
  require('ajv')
  for (const [path, loaded] of Object.entries(require.cache)) {
    if (!path.startsWith(own + sep)) continue
    const counterpart = join(theirs, relative(own, path))
    require.cache[counterpart] ??= loaded
  }
}

/** The folder of the `ajv` that a file finds. */
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
