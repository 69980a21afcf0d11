/** Finds the files that autoload loads: plugins by prefix, and hooks. */
import path from 'node:path'
import type { SourceFiles } from '../../util/source-files.ts'
import type { Settings } from './autoload-settings.ts'

// The defaults of autoload. Declarations such as `x.d.ts` aren't scripts.
const script = /(?:(?:^.?|\.[^d]|[^.]d|[^.][^d])\.ts|\.js|\.cjs|\.mjs|\.cts|\.mts)$/iu
const index = /^index\.(?:[cm]?[jt]s)$/iu
const autoHooks = /^[_.]?auto_?hooks\.(?:[cm]?[jt]s)$/iu

interface AutoloadFiles {
  readonly hooks: readonly string[]
  readonly plugins: { readonly file: string; readonly prefix: string }[]
}

interface Folder {
  readonly dir: string
  readonly prefix: string
  readonly depth: number
  readonly hooks: readonly string[]
}

/** Returns the plugin files by prefix, outer folders first. */
export function findPlugins(
  settings: Settings,
  files: SourceFiles,
  root: string,
): Map<string, AutoloadFiles> {
  const found = new Map<string, AutoloadFiles>()
  const maxDepth = settings.limit('maxDepth') ?? Infinity
  const folders: Folder[] = [{ dir: root, prefix: '', depth: 0, hooks: [] }]
  // The loop visits the folders that are added meanwhile.
  for (const folder of folders) visit(folder)
  return found

  function visit({ dir, prefix, depth, hooks: inherited }: Folder): void {
    const entries = files.list(dir)
    const names = entries.map(({ name }) => name)
    const hooks = hooksOf(dir, names, inherited)
    const key = prefix || '/'
    const plugins = found.get(key)?.plugins ?? []
    found.set(key, { hooks, plugins })
    const add = (name: string): void => {
      const file = path.join(dir, name)
      const relative = `/${path.relative(root, file).split(path.sep).join('/')}`
      if (settings.accepts('matchFilter', relative) === false) return
      if (settings.accepts('ignoreFilter', relative) === true) return
      plugins.push({ file, prefix })
    }
    const indexFile = names.find((name) => settings.matches('indexPattern', name, index.test(name)))
    if (indexFile !== undefined) add(indexFile)
    for (const entry of entries) {
      const { name } = entry
      if (settings.matches('ignorePattern', name, false)) continue
      if (entry.isDirectory() && depth < maxDepth) {
        folders.push({
          dir: path.join(dir, name),
          prefix: (prefix === '' ? '/' : `${prefix}/`) + settings.segment(dir, name),
          depth: depth + 1,
          hooks: settings.flag('cascadeHooks', false) ? hooks : [],
        })
      } else if (indexFile === undefined && entry.isFile()) {
        const isScript = settings.matches('scriptPattern', name, script.test(name))
        if (isScript && !isAutoHooks(name)) add(name)
      }
    }
  }

  function isAutoHooks(name: string): boolean {
    return settings.matches('autoHooksPattern', name, autoHooks.test(name))
  }

  function hooksOf(
    dir: string,
    names: readonly string[],
    inherited: readonly string[],
  ): readonly string[] {
    if (!settings.flag('autoHooks', false)) return []
    const hookFile = names.find(isAutoHooks)
    if (hookFile === undefined) return inherited
    const kept = settings.flag('overwriteHooks', false) ? [] : inherited
    return [...kept, path.join(dir, hookFile)]
  }
}
