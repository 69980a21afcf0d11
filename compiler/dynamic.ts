import type { ContextNode, ContextTree, Diagnostic } from './model.ts'

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
  const visit = ({ routes, children }: ContextNode): Diagnostic[] => [
    ...routes.flatMap(({ dynamic }) => dynamic.map(({ problem }) => problem)),
    ...children.flatMap(visit),
  ]
  return visit(root)
}
