import { readFileSync } from 'node:fs'
import { codeSitesIn, isPackageCode, type CodeSite } from './code-sites.ts'
import { packageNameOf } from '../util/paths.ts'
import type { Imports } from './facts.ts'

/** A place that generates code, and the chain of packages that import it. */
export interface Generator {
  /** From the one that is imported to the one that generates code. */
  readonly packages: readonly string[]
  /** Absolute. */
  readonly file: string
  /** `new Function`, `eval`, `new Ajv`. */
  readonly what: string
  /** From 1. */
  readonly line: number
}

/** Searches the files of packages in a graph. Returns a function that gives the generators behind a file, the nearest first. */
export function generatorsFrom(imports: Imports): (file: string) => readonly Generator[] {
  const sites = new Map<string, CodeSite>()
  /** Packages that generate code inside `try`, and have an alternative if it fails. */
  const withFallback = new Set<string | undefined>()
  for (const file of imports.keys()) {
    if (!isPackageCode(file)) continue
    const all = codeSitesIn(file, readFileSync(file, 'utf8'))
    if (all.some((site) => site.isTried)) withFallback.add(packageNameOf(file))
    if (all[0] !== undefined) sites.set(file, all[0])
  }
  return generatorsOf

  function generatorsOf(start: string): readonly Generator[] {
    const found: Generator[] = []
    const chains = new Map([[start, packageChain([], start)]])
    for (const [file, packages] of chains) {
      const site = sites.get(file)
      if (site !== undefined && !withFallback.has(packageNameOf(file)))
        found.push({
          packages: site.what === 'new Ajv' ? [...packages, 'ajv'] : packages,
          file,
          what: site.what,
          line: site.line,
        })
      for (const next of imports.get(file) ?? []) {
        // Many packages use only parts of Ajv. Packages that create an instance are found by `new Ajv`.
        const isPartOfAjv = packageNameOf(next) === 'ajv' && packageNameOf(start) !== 'ajv'
        if (!isPartOfAjv && !chains.has(next)) chains.set(next, packageChain(packages, next))
      }
    }
    return found
  }
}

function packageChain(before: readonly string[], file: string): readonly string[] {
  const name = packageNameOf(file)
  return name === undefined || name === before.at(-1) ? before : [...before, name]
}
