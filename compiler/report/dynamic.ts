/** Problems with something that only the running application knows. */
import type { ContextNode, ContextTree, Diagnostic } from '../model/index.ts'
import { contextPaths } from './context-path.ts'

/** Codes of these problems. The rest of the application can be built without it. */
const dynamicCodes: ReadonlySet<string> = new Set([
  'AOT_PLUGIN_NOT_STATIC',
  'AOT_ROUTE_NOT_STATIC',
  'AOT_SCHEMA_NOT_STATIC',
])

export function isDynamic({ code }: Diagnostic): boolean {
  return dynamicCodes.has(code)
}

export function problemsOfParts(tree: ContextTree): readonly Diagnostic[] {
  return contextsOf(tree).flatMap(({ routes }) =>
    routes.flatMap(({ dynamic }) => dynamic.map(({ problem }) => problem)),
  )
}

/** Collects the problems in a tree: those of parts of routes and of shared schemas. */
export function problemsOfTree(tree: ContextTree): readonly Diagnostic[] {
  const shared = contextsOf(tree).flatMap(({ unknownSchemas }) =>
    unknownSchemas.map(({ problem }) => problem),
  )
  return [...problemsOfParts(tree), ...shared]
}

function contextsOf(tree: ContextTree): readonly ContextNode[] {
  return [...contextPaths(tree).keys()]
}
