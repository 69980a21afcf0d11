/** Scans an application whose schemas are computed by a package. */
import { join } from 'node:path'
import { after } from 'node:test'
import { scan } from '../../compiler/1-scan/index.ts'
import { SandboxProcess } from '../../compiler/sandbox/sandbox-process.ts'
import { buildTree } from '../../compiler/2-tree/index.ts'
import type { ScannedContext } from '../../compiler/model/index.ts'
import { temporaryFolder, writeAll } from './folders.ts'

export interface PackageScan<T> {
  /** The text of the package `tool`, an ES module. */
  readonly tool: (folder: string) => string
  /** Statements of a module in which `app` is an instance. */
  readonly app: string
  /** More files, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Called with the name of a step that takes long. */
  readonly onSlow?: (name: string) => void
  /** Inspects the folder before it is removed. */
  readonly inspect?: (folder: string) => T
}

export interface ScannedPackage<T> {
  /** The schemas of the routes, by URL. */
  readonly schemas: ReadonlyMap<string, unknown>
  readonly diagnostics: readonly string[]
  readonly inspected: T | undefined
  /** The number of requests to the sandbox. */
  readonly requests: number
}

export async function scanPackage<T>(given: PackageScan<T>): Promise<ScannedPackage<T>> {
  const folder = temporaryFolder({ after })
  writeAll(folder, {
    'package.json': { type: 'module' },
    'node_modules/tool/package.json': { type: 'module', exports: './index.js' },
    'node_modules/tool/index.js': given.tool(folder),
    ...given.files,
    'app.js': `import framework from 'framework'\nexport const app = framework()\n${given.app}`,
  })
  const diagnostics = new Set<string>()
  const report = ({ message }: { readonly message: string }): void => void diagnostics.add(message)
  const entry = join(folder, 'app.js')
  const process = new SandboxProcess(folder)
  let requests = 0
  const run: SandboxProcess['run'] = (...args) => {
    requests++
    return SandboxProcess.prototype.run.apply(process, args)
  }
  Object.assign(process, { run })
  const sandbox = { process, onSlow: given.onSlow ?? (() => undefined) }
  const graph = await scan({ entry, root: folder, out: '' }, report, { sandbox })
  const schemas = new Map<string, unknown>()
  if (graph !== undefined) {
    buildTree(graph, report)
    collect(graph.root, schemas)
  }
  return { schemas, diagnostics: [...diagnostics], inspected: given.inspect?.(folder), requests }
}

function collect(context: ScannedContext, schemas: Map<string, unknown>): void {
  for (const operation of context.operations) {
    if (operation.type === 'child') collect(operation.context, schemas)
    if (operation.type === 'route') {
      schemas.set(operation.route.path, operation.route.schemas[0]?.value.value)
    }
  }
}
