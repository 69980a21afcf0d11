/** Names parts of routes and shared schemas in messages. */
import type { Binding, SourceLocation } from '../../model/index.ts'
import type { Document } from './documents.ts'

/** Number of names that a message lists at most. */
const MAX_NAMES = 3

export function describePart(binding: Binding): string {
  const { httpPart, httpStatus, contentType } = binding
  const part =
    httpPart === undefined
      ? `response schema ${[httpStatus, contentType].filter(Boolean).join(' ')}`
      : `${httpPart} schema`
  return `${part} of ${routeOf(binding)}`
}

/** Names the schema of a part, or a shared schema, with its place if that is in another file than `at`, and the parts that need it. */
export function nameOf(
  { shared }: Document,
  at: SourceLocation,
  sites: readonly Binding[],
): string {
  if (shared === undefined) return describePart(sites[0] as Binding)
  const { file, line } = shared.at
  const place = file === at.file ? '' : ` of ${file}:${line}`
  const neededBy = sites.length === 0 ? '' : ` (needed by ${listOf(sites.map(shortNameOf))})`
  return `shared schema "${shared.id}"${place}${neededBy}`
}

/** `a, b, c and 2 more` */
export function listOf(names: readonly string[]): string {
  const all = [...new Set(names)]
  const others = all.length - MAX_NAMES
  if (others > 0) return `${all.slice(0, MAX_NAMES).join(', ')} and ${others} more`
  return [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(' and ')
}

function shortNameOf(binding: Binding): string {
  const { httpPart, httpStatus, contentType } = binding
  const part = [httpPart ?? httpStatus, contentType].filter(Boolean).join(' ')
  return `${part} of ${routeOf(binding)}`
}

function routeOf({ route }: Binding): string {
  return `${route.methods.join(',')} ${route.url}`
}
