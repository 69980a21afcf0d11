import type { ContextNode, ContextTree, Diagnostic } from '../model/index.ts'
import { contextPaths } from './context-path.ts'

/** Problems that only say what the source doesn't tell. Everything else can be built without it. */
const openCodes: ReadonlySet<string> = new Set([
  'AOT_PLUGIN_NOT_STATIC',
  'AOT_ROUTE_NOT_STATIC',
  'AOT_SCHEMA_NOT_STATIC',
])

/** Returns whether the rest of the application can be built in spite of a problem. */
export function isOpen({ code }: Diagnostic): boolean {
  return openCodes.has(code)
}

/** Key for removing duplicate problems. */
export function keyOf({ at, code, message }: Diagnostic): string {
  return `${at.file}:${at.line}:${at.column}:${code}:${message}`
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
