/** Formats the results of `framework check`. */
import { join, relative } from 'node:path'
import type { ArtifactManifest } from '../../compiler/5-artifact/read/reader.ts'
import type { Change, Effect } from '../changes/index.ts'
import type {
  StaleRoute,
  StaleSchema,
  Staleness,
} from '../../compiler/5-artifact/read/staleness.ts'
import { groupBy } from '../../compiler/util/group-by.ts'
import { plural } from '../../compiler/util/quantities.ts'
import { repositoryOf } from '../revision/index.ts'
import type { Outcome } from '../output.ts'
import type { Paint } from '../terminal.ts'
import type { Annotation } from './annotations.ts'
import { annotationText, placeOf } from './annotations.ts'
import { shownPath } from './problems.ts'
import { listed, table } from './table.ts'

export interface CheckOutput {
  readonly format: string | undefined
  readonly paint: Paint
  /** Places are relative to this folder. */
  readonly root: string
}

const staleWords = { new: 'is new', gone: 'is no longer declared' } as const

/** Parts with a plural name. */
const PLURALS: readonly string[] = ['params', 'headers']

/** Reports whether the artifact is up to date. */
export function freshnessOutcome(
  staleness: Staleness | undefined,
  { folder, manifest }: ArtifactManifest,
  shown: CheckOutput,
): Outcome & { readonly annotations: readonly Annotation[] } {
  const path = shownPath(folder)
  const { schemas = [], routes = [], reasons = [] } = staleness ?? {}
  const result = { state: staleness === undefined ? 'fresh' : 'stale', schemas, routes, reasons }
  const changedRoutes = routes.filter(({ isByShared }) => !isByShared)
  const annotations = [
    ...schemas.map((schema) => staleAnnotation(schemaName(schema), schema)),
    ...changedRoutes.map((route) => staleAnnotation(routeName(route), route)),
    ...reasons.map((reason) => ({
      rule: 'artifact-stale',
      level: 'error' as const,
      message: `The artifact is out of date: ${reason}.`,
      ...placeOf(manifest.entry),
    })),
  ]
  const answer = { ...annotated(annotations, staleRules, shown), annotations }
  if (staleness === undefined) {
    return { ok: true, result, report: `${path} is up to date.`, ...answer }
  }
  const lines = [
    ...reasons.map((reason) => `  ${reason}`),
    ...table(schemas.map((schema) => [schemaName(schema), staleText(schema), schema.at])),
    ...sharedSchemaLines(
      schemas.length,
      routes.filter(({ isByShared }) => isByShared),
    ),
    ...table(changedRoutes.map((route) => [routeName(route), staleText(route), route.at])),
  ]
  return {
    ok: false,
    result,
    problems: `${path} is out of date:\n${lines.join('\n')}\nRun \`framework build\` to update it.`,
    ...answer,
  }
}

const staleRules = { 'artifact-stale': 'The artifact is out of date.' }

function staleAnnotation(name: string, stale: StaleRoute | StaleSchema): Annotation {
  const message = `${name} ${staleText(stale)} since the artifact was written.`
  return { rule: 'artifact-stale', level: 'error', message, ...placeOf(stale.at) }
}

function schemaName({ id, context }: StaleSchema): string {
  return `The shared schema "${id}"${context === 'root' ? '' : ` of ${context}`}`
}

/** Number of routes to name if more have changed for the same reason. */
const MAX_ROUTES = 3

/** Summarizes the routes that changed together with shared schemas. */
function sharedSchemaLines(schemas: number, routes: readonly StaleRoute[]): readonly string[] {
  if (routes.length === 0) return []
  const parts = routes.reduce((sum, route) => sum + route.parts.length, 0)
  const names = routes.map((route) => `${routeName(route)} ${route.parts.join(', ')}`)
  const counts = `${plural(parts, 'part')} of ${plural(routes.length, 'route')}`
  return [
    `    and with ${schemas === 1 ? 'it' : 'them'} ${counts}: ${listed(names, MAX_ROUTES, '; ')}`,
  ]
}

function staleText(stale: StaleRoute | StaleSchema): string {
  if (stale.change !== 'changed') return staleWords[stale.change]
  if (!('parts' in stale)) return 'has changed'
  const { parts } = stale
  const isOne = parts.length === 1 && !PLURALS.includes(parts[0] as string)
  return `${parts.join(', ')} ${isOne ? 'has' : 'have'} changed`
}

const levels: Readonly<Record<Effect, Annotation['level']>> = {
  breaking: 'error',
  compatible: 'note',
  unknown: 'warning',
}

const changeRules: Readonly<Record<Change['rule'], string>> = {
  'route-removed': 'A route was removed.',
  'route-added': 'A route was added.',
  'request-changed': 'What a route accepts has changed.',
  'response-changed': 'What a route answers has changed.',
  'options-changed': 'An option that decides what is accepted has changed.',
  'not-compared': 'A schema cannot be compared.',
}

/** Reports changes that affect clients. */
export function changesOutcome(
  changes: readonly Change[],
  against: string,
  shown: CheckOutput,
): Outcome {
  const counts = { breaking: 0, compatible: 0, unknown: 0 }
  for (const { effect } of changes) counts[effect]++
  const ok = counts.breaking === 0
  const annotations = changes.map((change) => ({
    rule: change.rule,
    level: levels[change.effect],
    message: `${routeName(change)}: ${changeText(change)}`,
    ...placeOf(change.at),
  }))
  return {
    ok,
    result: { against, ...counts, changes },
    answer: changesText(changes, counts, against, shown.paint),
    ...annotated(annotations, changeRules, shown),
  }
}

function changesText(
  changes: readonly Change[],
  { breaking, compatible, unknown }: Readonly<Record<Effect, number>>,
  against: string,
  paint: Paint,
): string {
  if (changes.length === 0) return `Nothing has changed for clients since ${against}.`
  const styles = { breaking: 'red', compatible: 'green', unknown: 'yellow' } as const
  const groups = groupBy(changes, (one) => `${routeName(one)}  ${paint('dim', one.at)}`)
  const text = [...groups].map(([head, all]) => {
    const lines = all.map(
      (change) =>
        `  ${paint(styles[change.effect], change.effect.padEnd(10))}  ${changeText(change)}`,
    )
    return [head, ...lines].join('\n')
  })
  const counts = [
    plural(breaking, 'breaking change'),
    `${compatible} compatible`,
    ...(unknown > 0 ? [`${unknown} not compared`] : []),
  ]
  return `${text.join('\n\n')}\n\n${counts.join(', ')} since ${against}`
}

function changeText({ part, path, message }: Change): string {
  const place = [part, path].filter((one) => one !== '').join(': ')
  return place === '' ? message : `${place} ${message}`
}

function routeName({ method, url }: { readonly method: string; readonly url: string }): string {
  return method === '*' ? 'All routes' : `${method} ${url}`
}

/** Replaces text by annotations, if a format was requested. */
export function annotated(
  annotations: readonly Annotation[],
  rules: Readonly<Record<string, string>>,
  { format, root }: CheckOutput,
): Pick<Outcome, 'answer' | 'problems' | 'report'> {
  if (format === undefined) return {}
  const repository = repositoryOf(root) ?? process.cwd()
  const placed = annotations.map((one) => ({
    ...one,
    file: relative(repository, join(root, one.file)).replaceAll('\\', '/'),
  }))
  return { answer: annotationText(format, placed, rules), problems: '', report: '' }
}
