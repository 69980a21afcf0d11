/** What the building of an application has done that no snapshot can hold, as problems with places. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import type { SourceMapPayload } from 'node:module'
import path from 'node:path'
import type { Fault } from '../../../runtime/deployed/snapshot/building.ts'
import { diagnostic } from '../../report/errors.ts'
import type { Diagnostic, ResolvedOptions, SourceLocation } from '../../model/index.ts'
import { displayPath } from '../../util/paths.ts'
import { isHarmless } from './harmless.ts'

/** Of this package, files that only watch. */
const watching = 'node_modules/framework/snapshot.js'
const own = 'node_modules/framework/'

/** The faults as problems: each place of the application once, and each file of a package. */
export function refusalsOf(
  faults: readonly Fault[],
  program: string,
  options: ResolvedOptions,
): Diagnostic[] {
  const payload = JSON.parse(readFileSync(`${program}.map`, 'utf8')) as SourceMapPayload
  const map = new SourceMap(payload)
  const lineAt = ({ file, line }: SourceLocation): string => {
    const nth = payload.sources.findIndex((source) => pathIn(source) === file)
    return payload.sourcesContent[nth]?.split('\n')[line - 1] ?? ''
  }
  const found = new Map<string, Diagnostic>()
  for (const { kind, what, stack } of faults) {
    const places = placesOf(stack, program, map)
    // Node does things for itself.
    if (places.length === 0 && stack !== '') continue
    const caller = places.find(({ file }) => file !== watching)
    if (caller !== undefined && isHarmless(kind, caller.file, lineAt(caller))) continue
    const others = places.filter(({ file }) => !file.startsWith(own))
    const [first] = others
    const at = first ?? { file: displayPath(options.entry, options.root), line: 1, column: 1 }
    const user = others.find(({ file }) => !file.includes('node_modules/'))
    const by = user !== undefined && user !== first ? ` (for ${user.file}:${user.line})` : ''
    const problem = diagnostic('AOT_SNAPSHOT_REFUSED', at, what + by, kind)
    const key = at.file.includes('node_modules/') ? at.file : `${at.file}:${at.line}`
    if (!found.has(`${key} ${kind}`)) found.set(`${key} ${kind}`, problem)
  }
  return [...found.values()]
}

/** The places of a stack in the sources, innermost first. */
function placesOf(stack: string, program: string, map: SourceMap): SourceLocation[] {
  return stack.split('\n').flatMap((line) => {
    const [, file, row, column] = /\(?((?:\/|[A-Za-z]:)[^()]*):(\d+):(\d+)\)?$/.exec(line) ?? []
    if (file === undefined || path.resolve(file) !== program) return []
    const entry = map.findEntry(Number(row) - 1, Number(column) - 1)
    if (!('originalSource' in entry)) return []
    const { originalSource, originalLine, originalColumn } = entry
    return [{ file: pathIn(originalSource), line: originalLine + 1, column: originalColumn + 1 }]
  })
}

function pathIn(source: string): string {
  return decodeURIComponent(source.replace(/^file:\/\//, ''))
}
