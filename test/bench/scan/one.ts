/** Scans one application, `node one.js <entry>`, and prints what it took, as JSON. */
import { dirname } from 'node:path'
import type { ContextNode } from '../../../compiler/model.ts'

const [, , entry = ''] = process.argv
const loaded = performance.now()
const { scan } = await import('../../../compiler/1-scan/index.ts')
const { buildTree } = await import('../../../compiler/2-tree/index.ts')
const start = performance.now()
const problems: unknown[] = []
const report = (problem: unknown): void => void problems.push(problem)
const graph = await scan({ entry, root: dirname(entry), out: '' }, report)
const tree = graph && buildTree(graph, report)
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    load: start - loaded,
    scan: performance.now() - start,
    cpu: (user + system) / 1000,
    memory: process.resourceUsage().maxRSS / 1024,
    routes: tree === undefined ? 0 : countRoutes(tree.root),
    problems: problems.length,
  }),
)

function countRoutes({ routes, children }: ContextNode): number {
  return children.reduce((sum, child) => sum + countRoutes(child), routes.length)
}
