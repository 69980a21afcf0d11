import type { ContextNode, ContextTree, Diagnostic } from '../model/index.ts'

/** Problems that only say that the source does not tell something: the rest can be built without it. */
const openCodes: ReadonlySet<string> = new Set([
  'AOT_PLUGIN_NOT_STATIC',
  'AOT_ROUTE_NOT_STATIC',
  'AOT_SCHEMA_NOT_STATIC',
])

/** Whether the rest of the application can be built without what this problem is about. */
export function isOpen({ code }: Diagnostic): boolean {
  return openCodes.has(code)
}

/** Tells problems apart; the same may be found more than once. */
export function keyOf({ at, code, message }: Diagnostic): string {
  return `${at.file}:${at.line}:${at.column}:${code}:${message}`
}

/** The problems that stand at parts of routes. */
export function problemsOfParts({ root }: ContextTree): readonly Diagnostic[] {
  return contextsOf(root).flatMap(({ routes }) =>
    routes.flatMap(({ dynamic }) => dynamic.map(({ problem }) => problem)),
  )
}

/** The problems that stand in a tree: parts of routes, and shared schemas. */
export function problemsOfTree(tree: ContextTree): readonly Diagnostic[] {
  const shared = contextsOf(tree.root).flatMap(({ unknownSchemas }) =>
    unknownSchemas.map(({ problem }) => problem),
  )
  return [...problemsOfParts(tree), ...shared]
}

function contextsOf(context: ContextNode): readonly ContextNode[] {
  return [context, ...context.children.flatMap(contextsOf)]
}
