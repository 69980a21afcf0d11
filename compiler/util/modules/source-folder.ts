/** Finds the common folder of a project's sources, in which `tsc` keeps the paths of its output. */
import path from 'node:path'
import type { SourceFiles } from '../source-files.ts'

/** The sources that a tsconfig.json names, as absolute paths and patterns. */
export interface NamedSources {
  readonly files?: readonly string[]
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

const SOURCE = /(?<!\.d)\.[cm]?ts$|\.tsx$/

/** Folders that patterns with `*` don't match. */
const SKIPPED = /^(?:\..*|node_modules|bower_components|jspm_packages)$/

/**
 * Returns the common folder; `undefined` if there are no sources.
 *
 * @param skipped the folder of the output
 */
export function commonFolder(
  sources: SourceFiles,
  { files = [], include = [], exclude = [] }: NamedSources,
  skipped: string,
): string | undefined {
  let common: string | undefined
  const excluded = [skipped, ...exclude].map((pattern) => matcherOf(pattern, false))
  for (const file of files) add(path.dirname(file))
  for (const pattern of include) {
    const start = /^[^*?]*(?=[\\/]|$)/.exec(pattern)?.[0] ?? ''
    if (sources.isFile(start)) add(path.dirname(start))
    else if (sources.isFolder(start)) addBelow(start, matcherOf(pattern, true))
  }
  return common

  function add(folder: string): void {
    common ??= folder
    while (!isIn(folder, common)) common = path.dirname(common)
  }

  function addBelow(folder: string, isIncluded: (file: string) => boolean): void {
    const entries = sources.list(folder)
    const isSource = (name: string): boolean => {
      const file = path.join(folder, name)
      return SOURCE.test(name) && isIncluded(file) && !excluded.some((matches) => matches(file))
    }
    if (entries.some((entry) => !entry.isDirectory() && isSource(entry.name))) add(folder)
    for (const entry of entries) {
      // More files don't change it.
      if (common !== undefined && isIn(folder, common)) return
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) {
        addBelow(path.join(folder, entry.name), isIncluded)
      }
    }
  }
}

function isIn(target: string, folder: string): boolean {
  return (target + path.sep).startsWith(folder + path.sep)
}

/**
 * Returns a function that matches paths as TypeScript does.
 *
 * @param isExact whether a pattern with a wildcard at the end matches files only, not folders
 */
function matcherOf(pattern: string, isExact: boolean): (file: string) => boolean {
  const parts = pattern.split(/[\\/]/)
  const expressions = parts.map((part) =>
    part === '**'
      ? '(?:[^/]+/)*'
      : `${escaped(part).replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}/`,
  )
  const endsExactly = isExact && /[*?]/.test(parts.at(-1) ?? '')
  const expression = new RegExp(`^${expressions.join('')}${endsExactly ? '$' : ''}`)
  return (file) => expression.test(`${file.split(path.sep).join('/')}/`)
}

function escaped(text: string): string {
  return text.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
}
