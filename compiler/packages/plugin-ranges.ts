import type { ModuleGraph } from './graph.ts'
import { packageOf, readModule } from './graph.ts'
import { manifestOf } from './manifest.ts'
import { summarize } from './summarize.ts'
import type { FileSummary, Target } from './summary.ts'
import { WHOLE } from './summary.ts'
import { parseModule } from './syntax.ts'

/** The ranges of Fastify that a module's plugins ask for, by the names that they, or what makes them, are exported under. */
export type PluginRanges = ReadonlyMap<string, string>

/** By file, of the entries that ask for some range. */
export function pluginRanges({ entries, imports }: ModuleGraph): ReadonlyMap<string, PluginRanges> {
  const summaries = new Map<string, FileSummary>()
  const found = new Map<string, PluginRanges>()
  for (const file of new Set(entries)) {
    if (file === undefined || !wrapsPlugins(file)) continue
    const ranges = rangesIn(file, new Set())
    if (ranges.size > 0) found.set(file, ranges)
  }
  return found

  function rangesIn(file: string, outer: ReadonlySet<string>): PluginRanges {
    const ranges = new Map<string, string>()
    if (outer.has(file)) return ranges
    const { functions, wrapped } = summaryOf(file)
    for (const { name, target } of functions[0]?.puts ?? []) {
      const own = wrapped.filter((one) => isSame(one.target, target))
      for (const { isMaker, range } of own) ranges.set(isMaker ? madeBy(name) : name, range)
      if (own.length > 0) continue
      if (target.type === 'import') {
        const next = imports.get(file)?.get(target.specifier)
        if (next === undefined) continue
        const inner = rangesIn(next, new Set([...outer, file]))
        for (const keyOf of [(one: string) => one, madeBy]) {
          const range = inner.get(keyOf(target.name ?? WHOLE))
          if (range !== undefined) ranges.set(keyOf(name), range)
        }
        if (name !== WHOLE || target.name !== undefined) continue
        // `module.exports = require('./plugin')`
        for (const [key, one] of inner) if (!ranges.has(key)) ranges.set(key, one)
      }
    }
    return ranges
  }

  function summaryOf(file: string): FileSummary {
    let known = summaries.get(file)
    if (known === undefined) {
      summaries.set(file, (known = summarize(parseModule(file, readModule(file)))))
    }
    return known
  }
}

/** The name under which the range of a plugin stands that an export makes when it is called. */
export function madeBy(name: string): string {
  return `${name}()`
}

/** What a package of plugins depends on; others are not looked into. */
function wrapsPlugins(file: string): boolean {
  if (packageOf(file) === undefined || !/\.[cm]?js$/.test(file)) return false
  const { dependencies = {}, peerDependencies = {} } = manifestOf(file)
  return 'fastify-plugin' in { ...dependencies, ...peerDependencies }
}

function isSame(one: Target, other: Target): boolean {
  if (one.type === 'function') return other.type === 'function' && one.id === other.id
  if (one.type !== 'import' || other.type !== 'import') return false
  return one.specifier === other.specifier && one.name === other.name
}
