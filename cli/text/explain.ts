import type { ExplainedPart, Explanation } from '../inspect/explain.ts'
import { hookName } from '../../compiler/5-artifact/read/hooks.ts'
import type { Paint } from '../terminal.ts'
import { standingText } from './build-report.ts'
import { listed, table } from './table.ts'

/** @param code of validators and serializers, by digest */
export function explanationText(
  routes: readonly Explanation[],
  code: Readonly<Record<string, string>>,
  paint: Paint,
): string {
  const texts = routes.map((route) => explanationOf(route, alternativesOf(route, routes), paint))
  const functions = Object.entries(code).map(
    ([digest, text]) => `${paint('bold', digest)}\n\n${text}`,
  )
  return [...texts, ...functions].join('\n\n')
}

/** Returns the alternatives of a route whose schema depends on a condition, itself included. */
function alternativesOf(route: Explanation, routes: readonly Explanation[]): Explanation[] {
  const key = ({ method, url, at, constraints }: Explanation): string =>
    JSON.stringify([method, url, at, constraints])
  return routes.filter((other) => key(other) === key(route))
}

function explanationOf(
  route: Explanation,
  alternatives: readonly Explanation[],
  paint: Paint,
): string {
  const { method, url, at, constraints, contexts, hooks, plugins, parts } = route
  const which =
    alternatives.length > 1
      ? `, alternative ${alternatives.indexOf(route) + 1} of ${alternatives.length}`
      : ''
  const lines = [`${paint('bold', `${method} ${url}`)}  ${paint('cyan', at)}${which}`]
  const only = Object.entries(constraints).map(([name, value]) => `${name} ${value}`)
  if (only.length > 0) lines.push(`  only for ${only.join(', ')}`)
  lines.push('', '  Contexts')
  for (const { context, prefix, at: place } of contexts) {
    const under = prefix === '' ? '' : `, prefix ${prefix}`
    lines.push(`    ${context}${under}  ${paint('cyan', place)}`)
  }
  if (hooks.length > 0)
    lines.push('', '  Hooks, in the order in which they run', ...hookLines(hooks, paint))
  const open = plugins.filter(({ areHooksKnown }) => areHooksKnown !== true)
  if (open.length > 0) {
    lines.push('', '  Plugins of packages, which may have further hooks')
    lines.push(...open.map(({ name, at: place }) => `    ${name}  ${paint('cyan', place)}`))
  }
  for (const part of parts) lines.push('', ...partLines(part, paint))
  if (parts.length === 0) lines.push('', '  It has no schema.')
  return lines.join('\n')
}

/** Formats hooks as a table: hook, function, origin and place. */
function hookLines(hooks: Explanation['hooks'], paint: Paint): string[] {
  const rows = hooks.map(({ package: of, plugin = of, from, at, isConditional, ...hook }) => [
    hook.hook,
    // Functions without a name are found by their decorator or their place.
    hookName(hook),
    `${plugin === undefined ? '' : `plugin ${plugin} in `}${from}${isConditional ? ', under a condition' : ''}`,
    paint('cyan', at),
  ])
  return table(rows, '    ')
}

/** Number of parts with the same validator or serializer that are named. Further ones are counted. */
const MAX_SHARED = 5

function partLines(part: ExplainedPart, paint: Paint): string[] {
  const lines = [`  ${paint('bold', part.part)}  ${standingText(part.standing, part.library)}`]
  if (part.reason !== undefined) lines.push(`    ${part.reason}`)
  for (const refusal of part.library?.refusals ?? [])
    lines.push(`    Its type parses at run time: ${refusal}.`)
  if (part.function !== undefined) {
    const { kind, digest, bytes, sharedWith } = part.function
    lines.push(`    ${kind} ${digest}, ${bytes} bytes`)
    if (sharedWith.length > 0) {
      lines.push(`    shared with ${listed(sharedWith, MAX_SHARED)}`)
    }
  }
  for (const { ref, within, id, context, at } of part.refs) {
    const where = within === undefined ? '' : ` in "${within}"`
    lines.push(`    $ref "${ref}"${where} is "${id}" of ${context}  ${paint('cyan', at)}`)
  }
  return lines
}
