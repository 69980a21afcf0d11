import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { cache } = createRequire(import.meta.url)

export interface LoadedModule {
  readonly version: string
  readonly exports: unknown
}

/**
 * Finds all loaded copies of a module of a CommonJS package. An application may have its own.
 *
 * @param module the package's name and the path in it, such as `ajv-formats/dist/formats.js`
 */
export function loadedCopies(module: string): LoadedModule[] {
  const copies: LoadedModule[] = []
  for (const [file, loaded] of Object.entries(cache)) {
    const path = file.replaceAll('\\', '/')
    if (!loaded?.loaded || !path.endsWith(`/node_modules/${module}`)) continue
    const root = path.slice(0, -module.length) + packageOf(module)
    const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
      version: string
    }
    copies.push({ version, exports: loaded.exports as unknown })
  }
  return copies
}

function packageOf(module: string): string {
  const [first = '', second = ''] = module.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** Returns the number of loaded modules. While it stays the same, there are no new copies. */
export function loadedCount(): number {
  return Object.keys(cache).length
}
