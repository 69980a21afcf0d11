/** Collects what a build knows about an application, for the page of `framework report`. */
import type { LineName } from '../../runtime/artifact/lines.ts'
import type {
  Manifest,
  ManifestContext,
  ManifestHook,
  ManifestProblem,
} from '../../compiler/5-artifact/manifest.ts'
import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import { isWithin } from '../../compiler/report/context-path.ts'
import { hooksOf, type OriginatedHook, withOrigins } from '../../compiler/5-artifact/read/hooks.ts'
import { functionsOf, partsOf, type KnownPart, type OverviewFunction } from './parts.ts'
import { createRefs } from './refs.ts'
import { createSharedTable, type OverviewSchema } from './shared.ts'

export interface Overview extends Pick<Manifest, 'entry' | 'version' | 'coverage' | 'dynamic'> {
  /** The server that the artifact is for. */
  readonly line: LineName
  /** Parents before children. */
  readonly contexts: readonly OverviewContext[]
  /** In the order of their contexts. */
  readonly schemas: readonly OverviewSchema[]
  /** Largest first. */
  readonly functions: readonly OverviewFunction[]
  readonly warnings: readonly ManifestProblem[]
}

export interface OverviewContext {
  /** The path of names: `root > books`. */
  readonly context: string
  /** The last name of the path. */
  readonly name: string
  /** Position in `Overview.contexts`; undefined for the root. */
  readonly parent: number | undefined
  readonly prefix: string
  readonly at: string
  readonly adds: Additions<ManifestHook>
  readonly inherits: Additions<OriginatedHook>
  readonly routes: readonly OverviewRoute[]
}

export interface Additions<Hook> {
  /** Shared schemas, as positions in `Overview.schemas`. */
  readonly schemas: readonly number[]
  readonly hooks: readonly Hook[]
  /** Plugins of packages. Their additions aren't known. */
  readonly plugins: readonly { readonly name: string; readonly at: string }[]
}

export interface OverviewRoute extends Pick<Route, 'method' | 'url' | 'at'> {
  readonly constraints: Readonly<Record<string, string>>
  /** Its hooks in the order in which they run. */
  readonly hooks: readonly OriginatedHook[]
  readonly parts: readonly OverviewPart[]
}

export interface OverviewPart extends Omit<KnownPart, 'digest'> {
  /** Position in `Overview.functions`; undefined if the artifact has none. */
  readonly function: number | undefined
  /** Shared schemas that the part refers to directly, as positions in `Overview.schemas`. */
  readonly schemas: readonly number[]
}

/** Collects the overview. HEAD twins are left out, because they use the validators and serializers of their GET routes. */
export function overviewOf(manifest: Manifest): Overview {
  const { entry, line = 'framework', version, coverage, dynamic, warnings = [] } = manifest
  const refs = createRefs(manifest)
  const routes = manifest.routes.filter((route) => !route.isTwin)
  const shared = createSharedTable(manifest, refs, routes)
  const functions = functionsOf(manifest, routes)
  const positions = new Map(functions.map(({ digest }, position) => [digest, position]))
  return {
    entry,
    line,
    version,
    coverage,
    contexts: manifest.contexts.map((one, i) => {
      const parent = parentOf(manifest.contexts, i)
      const around = parent === -1 ? '' : `${manifest.contexts[parent]?.context} > `
      return {
        context: one.context,
        name: one.context.slice(around.length),
        parent: parent === -1 ? undefined : parent,
        prefix: one.prefix,
        at: one.at,
        ...additionsOf(manifest, one, manifest.contexts[parent], shared.positionsIn),
        routes: routes.filter(({ context }) => context === one.context).map(toRoute),
      }
    }),
    schemas: shared.schemas,
    functions,
    dynamic,
    warnings,
  }

  function toRoute(route: Route): OverviewRoute {
    const { method, url, at, constraints = {} } = route
    const parts = partsOf(route).map(({ digest, ...part }) => ({
      ...part,
      function: digest === undefined ? undefined : positions.get(digest),
      schemas: shared.referredBy(route, part.part),
    }))
    return { method, url, at, constraints, hooks: hooksOf(manifest, route), parts }
  }
}

/** Child contexts repeat the hooks and plugins of their parent; those count as inherited. */
function additionsOf(
  manifest: Manifest,
  one: ManifestContext,
  parent: ManifestContext | undefined,
  positionsIn: (context: string) => readonly number[],
): Pick<OverviewContext, 'adds' | 'inherits'> {
  const around = manifest.contexts.filter((other) => isWithin(one.context, other.context))
  const { hooks = [], plugins = [] } = one
  const all = withOrigins(one, around)
  const isInherited = ({ at }: { readonly at: string }): boolean =>
    parent?.plugins?.some((other) => other.at === at) === true
  const outer = around.filter(({ context }) => context !== one.context)
  return {
    adds: {
      schemas: positionsIn(one.context),
      hooks: hooks.filter((_, index) => all[index]?.from === one.context),
      plugins: plugins.filter((plugin) => !isInherited(plugin)),
    },
    inherits: {
      schemas: outer.flatMap(({ context }) => positionsIn(context)),
      hooks: all.filter(({ from }) => from !== one.context),
      plugins: plugins.filter(isInherited),
    },
  }
}

/** Returns the nearest enclosing context, or -1 for the root. Names of plugins may contain the separator, so the path alone isn't enough. */
function parentOf(contexts: readonly ManifestContext[], position: number): number {
  const { context } = contexts[position] as ManifestContext
  return contexts.slice(0, position).findLastIndex((other) => isWithin(context, other.context))
}
