import { readFileSync } from 'node:fs'
import { diagnostic, messages } from '../report/errors.ts'
import { wrongVersions, type InstalledPackage } from './installed.ts'
import type { Report } from '../model/index.ts'
import { displayPath } from '../util/paths.ts'

/** Reports packages in versions that the compiler wasn't tested with. It depends on the exact text of their output. */
export function reportWrongVersions(root: string, report: Report): void {
  for (const wrong of wrongVersions()) {
    const { file } = wrong
    const text = readFileSync(file, 'utf8')
    const start = Math.max(0, text.indexOf('"version"'))
    const lines = text.slice(0, start).split('\n')
    const at = {
      file: displayPath(file, root),
      line: lines.length,
      column: (lines.at(-1) as string).length + 1,
      length: '"version"'.length,
    }
    report(diagnostic('AOT_COMPILER_VERSION', at, ...describeWrong(wrong)))
  }
}

/** Throws an Error about the first such package, where nothing can be reported. */
export function refuseWrongVersions(): void {
  const [wrong] = wrongVersions()
  if (wrong !== undefined) throw new Error(messages.AOT_COMPILER_VERSION(...describeWrong(wrong)))
}

function describeWrong({
  name,
  version,
  wanted,
}: InstalledPackage): [name: string, version: string, wanted: string] {
  return [name, version, `${name}@${wanted}`]
}
