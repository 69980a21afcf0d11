/** Finds the files that autoload loads: plugins by prefix, and hooks. */
import path from 'node:path'
import type { SourceFiles } from '../../util/source-files.ts'
import type { Settings } from './autoload-settings.ts'

const script = /(?:(?:^.?|\.[^d]|[^.]d|[^.][^d])\.ts|\.js|\.cjs|\.mjs|\.cts|\.mts)$/iu

const index = /^index\.(?:[cm]?[jt]s)$/iu

const autoHooks = /^[_.]?auto_?hooks\.(?:[cm]?[jt]s)$/iu

export interface AutoloadFiles {
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
  const queue: Folder[] = [{ dir: root, prefix: '', depth: 0, hooks: [] }]
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    queue.push(...findInFolder(settings, files, root, folder, found))
  }
  return found
}

function findInFolder(
  settings: Settings,
  files: SourceFiles,
  root: string,
  { dir, prefix, depth, hooks: inherited }: Folder,
  found: Map<string, AutoloadFiles>,
): Folder[] {
  const entries = files.list(dir)
  const names = entries.map(({ name }) => name)
  const hooks = hooksOf(settings, dir, names, inherited)
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
  const maxDepth = settings.limit('maxDepth')
  const isDeepest = maxDepth !== undefined && maxDepth <= depth
  const folders: Folder[] = []
  for (const entry of entries) {
    const { name } = entry
    if (settings.matches('ignorePattern', name, false)) continue
    if (entry.isDirectory() && !isDeepest) {
      const segment = settings.segment(dir, name)
      folders.push({
        dir: path.join(dir, name),
        prefix: (prefix === '' ? '/' : `${prefix}/`) + segment,
        depth: depth + 1,
        hooks: settings.flag('cascadeHooks', false) ? hooks : [],
      })
    } else if (indexFile === undefined && entry.isFile()) {
      const isScript = settings.matches('scriptPattern', name, script.test(name))
      if (isScript && !isAutoHooks(settings, name)) add(name)
    }
  }
  return folders
}

function isAutoHooks(settings: Settings, name: string): boolean {
  return settings.matches('autoHooksPattern', name, autoHooks.test(name))
}

function hooksOf(
  settings: Settings,
  dir: string,
  names: readonly string[],
  inherited: readonly string[],
): readonly string[] {
  if (!settings.flag('autoHooks', false)) return []
  const own = names.find((name) => isAutoHooks(settings, name))
  if (own === undefined) return inherited
  const kept = settings.flag('overwriteHooks', false) ? [] : inherited
  return [...kept, path.join(dir, own)]
}
