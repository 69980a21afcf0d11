/** The report of `framework build`. */
import { declaredRoutes } from '../../compiler/5-artifact/coverage.ts'
import { listOf } from '../../compiler/3-resolve/explain/subjects.ts'
import { groupBy } from '../../compiler/util/group-by.ts'
import { kilobytes, plural } from '../../compiler/util/quantities.ts'
import { libraryOf } from '../../compiler/5-artifact/read/schemas.ts'
import { partNames } from '../inspect/parts.ts'
import type { ManifestLibrary } from '../../compiler/5-artifact/manifest.ts'
import type { BuiltArtifact, Diagnostic, Manifest } from '../../compiler/index.ts'
import type { Reuse } from '../../compiler/build.ts'
import type { ResolvedOptions } from '../../compiler/model/index.ts'
import { listText } from './problems.ts'

/** Figures of a build. */
export interface Summary extends Reuse {
  readonly contexts: number
  /** Without HEAD twins, the HEAD routes that GET routes get automatically. */
  readonly routes: number
  /** Number of request parts and responses whose schema is compiled. */
  readonly schemas: number
  /** Number of distinct validators and serializers. */
  readonly functions: number
  /** Number of schemas that the application compiles itself. */
  readonly external: number
  /** How the build came to know the parts' schemas. */
  readonly coverage: Manifest['coverage']
  /** Number of parts, routes, plugins and shared schemas that only the running application knows. */
  readonly dynamic: number
  /** Size of the chunks and the catalogue. */
  readonly bytes: number
  /** Size of the validators and serializers alone. */
  readonly codeBytes: number
  /** Handles that the booted application left open. */
  readonly leftOpen: Readonly<Record<string, number>> | undefined
  readonly milliseconds: number
  readonly out: string
}

export function summaryOf({
  manifest,
  output,
  reuse,
}: BuiltArtifact): Omit<Summary, 'leftOpen' | 'milliseconds' | 'out'> {
  const routes = declaredRoutes(manifest.routes)
  const count = (sizeOf: (route: Route) => number): number =>
    routes.reduce((sum, route) => sum + sizeOf(route), 0)
  return {
    contexts: manifest.contexts.length,
    routes: routes.length,
    schemas: count(
      ({ validators, serializers }) =>
        Object.keys(validators).length + Object.keys(serializers).length,
    ),
    functions: Object.keys(manifest.functions).length,
    external: count(({ external }) => external.length),
    coverage: manifest.coverage,
    dynamic: count(({ dynamic }) => dynamic.length) + manifest.dynamic.length,
    ...reuse,
    bytes: output.bytes,
    codeBytes: Object.values(manifest.functions).reduce((sum, one) => sum + one.bytes, 0),
  }
}

/** Formats the tree of contexts with their routes, then the figures. */
export function reportText(
  { manifest }: BuiltArtifact,
  summary: Summary,
  dynamic: readonly Diagnostic[],
  factory: ResolvedOptions['factory'],
): string {
  const { contexts, routes, schemas, external, bytes, codeBytes, out } = summary
  // Their sizes are known only as files.
  const parsers = parsersIn(manifest)
  const own =
    external > 0
      ? `, ${plural(external, 'schema')} left to your own compilers${typesText(manifest)}`
      : ''
  return `${treeText(manifest)}

${plural(routes, 'route')} in ${plural(contexts, 'context')}: ${plural(schemas, 'schema')}${own}
${coverageText(manifest.coverage)}${refusalsText(manifest)}
${functionsText(manifest)}: ${parsers === 0 ? `${kilobytes(codeBytes)} of code, ` : ''}${kilobytes(bytes)} as files, ${workText(summary)}${leftOpenText(summary)}

${dynamicText(dynamic, factory)}${summary.unchanged ? 'Checked' : 'Wrote'} ${out}. `
}

/** Counts the types of libraries among these schemas: ` (2 types of zod)`. */
function typesText({ routes }: Manifest): string {
  const types = declaredRoutes(routes).flatMap(({ libraries = {} }) => Object.values(libraries))
  const counts = [...groupBy(types, ({ name }) => name)].map(
    ([name, all]) => `${plural(all.length, 'type')} of ${name}`,
  )
  return counts.length === 0 ? '' : ` (${listOf(counts)})`
}

/** Lists why types of schema libraries have no compiled parsers: each reason once, with the number of types. */
function refusalsText({ routes }: Manifest): string {
  const reasons = declaredRoutes(routes).flatMap(({ libraries = {} }) =>
    Object.values(libraries).flatMap(({ name, refusals = [] }) =>
      refusals.map((refusal) => `of ${name} to parse at run time: ${refusal}`),
    ),
  )
  const lines = [...groupBy(reasons, (one) => one)].map(
    ([reason, all]) => `\nLeaves ${plural(all.length, 'type')} ${reason}`,
  )
  return lines.join('')
}

/** `2 validators and 1 serializer`, without zeros. */
function functionsText(manifest: Manifest): string {
  const kinds = Object.values(manifest.functions).map(({ kind }) => kind)
  const countOf = (kind: string): number => kinds.filter((one) => one === kind).length
  const counts = [
    ['validator', countOf('validator')],
    ['serializer', countOf('serializer')],
    ['parser', parsersIn(manifest)],
  ] as const
  const given = counts.filter(([, count]) => count > 0)
  const texts = given.map(([kind, count]) => plural(count, kind))
  return listOf(texts) || 'No validators or serializers'
}

/** Returns the number of compiled parsers of schema libraries. */
function parsersIn({ routes }: Manifest): number {
  const types = routes.flatMap(({ libraries = {} }) => Object.values(libraries))
  return new Set(types.flatMap(({ parsers = [] }) => parsers)).size
}

function workText({ unchanged, compiled, reused, milliseconds }: Summary): string {
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`
  if (unchanged) return `checked in ${seconds}: nothing has changed`
  return `built in ${seconds}${reused > 0 ? ` (${compiled} compiled, ${reused} reused)` : ''}`
}

/** Lists handles that would have kept the booted application running. */
function leftOpenText({ leftOpen = {} }: Summary): string {
  const open = Object.entries(leftOpen).map(([name, count]) => plural(count, name))
  return open.length === 0 ? '' : `\nBooting left open: ${open.join(', ')}. The process was ended.`
}

type Route = Manifest['routes'][number]

function treeText({ contexts, routes }: Manifest): string {
  const declared = declaredRoutes(routes)
  // Parents come before their children.
  return contexts
    .flatMap(({ context, prefix, schemas }) => {
      const names = context.split(' > ')
      const indent = '  '.repeat(names.length - 1)
      const under = prefix === '' ? '' : ` ${prefix}`
      const adds = schemas.length > 0 ? `  adds ${schemas.join(', ')}` : ''
      const own = declared.filter((route) => route.context === context)
      return [
        `${indent}${names.at(-1)}${under}${adds}`,
        ...own.map((route) => `${indent}  ${routeText(route)}`),
      ]
    })
    .join('\n')
}

function routeText(route: Route): string {
  const parts = partsText(route)
  return `${route.method.padEnd(6)} ${route.url}${parts === '' ? '' : `  [${parts}]`}`
}

/** Lists the parts of a route, requests first: `body, 200 (dynamic)`. */
export function partsText(route: Pick<Route, 'parts' | 'external' | 'libraries'>): string {
  const { parts: standings } = route
  const parts = partNames(standings).map((part) => {
    const standing = standings[part] ?? ''
    return standing === 'literal'
      ? part
      : `${part} (${standingText(standing, libraryOf(route, part))})`
  })
  return parts.join(', ')
}

/** @param library the one that reads the part at run time */
export function standingText(standing: string, library?: ManifestLibrary): string {
  if (library === undefined) return STANDINGS[standing] ?? standing
  const isCompiled = library.parsers !== undefined && library.refusals === undefined
  return isCompiled ? `${library.name}, compiled` : library.name
}

/** How the build came to know a part's schema, in the words of the report. */
const STANDINGS: Readonly<Record<string, string>> = {
  literal: 'compiled',
  sliced: 'computed by the build',
  traced: 'traced',
  own: 'your own compiler',
  dynamic: 'dynamic',
}

/** `Parts: 12 compiled, 3 computed by the build, 1 dynamic`, without zeros. */
function coverageText(coverage: Manifest['coverage']): string {
  const counts = Object.entries(STANDINGS)
    .map(([standing, text]) => [coverage[standing as keyof typeof coverage], text] as const)
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text === STANDINGS['own'] ? `left to ${text}` : text}`)
  return `Parts: ${counts.length > 0 ? counts.join(', ') : 'none'}`
}

/** Lists what the artifact lacks, with places, and says what happens to routes that need it. */
function dynamicText(dynamic: readonly Diagnostic[], factory: ResolvedOptions['factory']): string {
  if (dynamic.length === 0) return ''
  const then =
    factory === 'fastify'
      ? 'Fastify compiles it'
      : 'With a route that needs it, the application does not start'
  return `Left out, because only the running application knows it. ${then}:
${listText(dynamic)}

`
}
