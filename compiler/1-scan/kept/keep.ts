import type { KeptFile, NumberedScan, ScannedGraph } from '../../model/index.ts'
import type { ScanMachine } from '../machine.ts'
import { namesAsked } from '../modules/imports.ts'
import { valueNames } from '../parse.ts'
import type { ts } from '../project.ts'
import { keptScan } from './index.ts'

/** What a scan has found, for the next build. */
export function keepScan(m: ScanMachine, graph: ScannedGraph): NumberedScan | undefined {
  const bySource = new Map<ts.SourceFile, ts.Node[]>()
  for (const node of m.data.unseenNodes()) {
    const source = node.getSourceFile()
    const own = bySource.get(source)
    if (own === undefined) bySource.set(source, [node])
    else own.push(node)
  }
  const files: KeptFile[] = []
  const literals: ts.Node[] = []
  for (const file of m.modules.files()) {
    const source = m.project.parse(file)
    if (source === undefined) return undefined
    // Of others more is taken than what they say as source.
    const isSource = !m.project.files.texts.has(file) && !file.endsWith('.json')
    const own = isSource ? (bySource.get(source) ?? []).sort((a, b) => a.pos - b.pos) : []
    literals.push(...own)
    files.push({
      file,
      shown: m.project.locateFile(file).file,
      text: source.text,
      literals: own.map((node) => [node.getStart(source), node.end]),
      names: valueNames(source),
      asked: namesAsked(source),
    })
  }
  return keptScan(graph, files, literals)
}
