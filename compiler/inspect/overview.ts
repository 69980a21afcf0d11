/** All that a build knows of an application, as a page shows it: by contexts, shared schemas and functions. */
import type { Line } from '../../runtime/artifact/lines.ts'
import { isTwin } from '../5-bundle/coverage.ts'
import type { Manifest, ManifestHook, ManifestProblem } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'
import { isWithin } from '../report/context-path.ts'
import { withOrigins } from './hooks.ts'
import type { OverviewFunction } from './functions.ts'
import { functionsOf } from './functions.ts'
import { partsOf } from './parts.ts'
import { createRefs } from './refs.ts'
import type { OverviewSchema } from './shared.ts'
import { createSharedTable } from './shared.ts'

export interface Overview {
  readonly entry: string
  /** What the functions are for. */
  readonly line: Line
  /** Of `framework`. */
  readonly version: string
  /** How many parts of routes became known in which way. */
  readonly coverage: Manifest['coverage']
  /** From the root, each before those in it. */
  readonly contexts: readonly OverviewContext[]
  /** In the order of their contexts. */
  readonly schemas: readonly OverviewSchema[]
  /** Most bytes first. */
  readonly functions: readonly OverviewFunction[]
  /** What is not known besides parts of routes. */
  readonly dynamic: readonly ManifestProblem[]
  readonly warnings: readonly ManifestProblem[]
}

export interface OverviewContext {
  /** The names from the root: `root > books`. */
  readonly context: string
  /** The last of them. */
  readonly name: string
  /** Its position in `Overview.contexts`; `undefined` for the root. */
  readonly parent: number | undefined
  readonly prefix: string
  readonly at: string
  readonly adds: Additions<ManifestHook>
  /** From the contexts around it. */
  readonly inherits: Additions<InheritedHook>
  readonly routes: readonly OverviewRoute[]
}

/** What holds for the routes of a context. */
export interface Additions<Hook> {
  /** Shared schemas, as positions in `Overview.schemas`. */
  readonly schemas: readonly number[]
  readonly hooks: readonly Hook[]
  /** Plugins of packages: what they add is not known. */
  readonly plugins: readonly { readonly name: string; readonly at: string }[]
}

export interface InheritedHook extends ManifestHook {
  /** The context that adds it. */
  readonly from: string
}

export interface OverviewRoute {
  readonly method: string
  readonly url: string
  readonly at: string
  readonly constraints: Readonly<Record<string, string>>
  /** Its own, as far as the source tells. */
  readonly hooks: readonly ManifestHook[]
  readonly parts: readonly OverviewPart[]
}

export interface OverviewPart {
  /** `body`, `200`, `2xx application/json`. */
  readonly part: string
  /** How it became known: `literal`, `sliced`, `traced`, `own`, `dynamic`. */
  readonly standing: string
  /** Why it is dynamic. */
  readonly problem: ManifestProblem | undefined
  /** The function's position in `Overview.functions`; `undefined` when the artifact has none. */
  readonly function: number | undefined
  /** The shared schemas that it refers to itself, as positions in `Overview.schemas`. */
  readonly schemas: readonly number[]
}

/** HEAD twins are left out: they are served by the functions of their GET routes. */
export function overviewOf(manifest: Manifest): Overview {
  const { entry, line = 'framework', version, coverage, dynamic, warnings = [] } = manifest
  const refs = createRefs(manifest)
  const routes = manifest.routes.filter((route) => !isTwin(route, manifest.routes))
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
    const { method, url, at, constraints = {}, hooks = [] } = route
    const parts = partsOf(route).map(({ digest, ...part }) => ({
      ...part,
      function: digest === undefined ? undefined : positions.get(digest),
      schemas: shared.referredBy(route, part.part),
    }))
    return { method, url, at, constraints, hooks, parts }
  }
}

type Context = Manifest['contexts'][number]

/** Hooks and plugins of a context are those of the contexts in it, too: what its parent has is inherited. */
function additionsOf(
  manifest: Manifest,
  one: Context,
  parent: Context | undefined,
  positionsIn: (context: string) => readonly number[],
): Pick<OverviewContext, 'adds' | 'inherits'> {
  const around = manifest.contexts.filter((other) => isWithin(one.context, other.context))
  const { hooks = [], plugins = [] } = one
  const all = withOrigins(one, around)
  const isAround = ({ at }: { readonly at: string }): boolean =>
    parent?.plugins?.some((other) => other.at === at) === true
  const outer = around.filter(({ context }) => context !== one.context)
  return {
    adds: {
      schemas: positionsIn(one.context),
      hooks: hooks.filter((_, index) => all[index]?.from === one.context),
      plugins: plugins.filter((plugin) => !isAround(plugin)),
    },
    inherits: {
      schemas: outer.flatMap(({ context }) => positionsIn(context)),
      hooks: all.filter(({ from }) => from !== one.context),
      plugins: plugins.filter(isAround),
    },
  }
}

/** The nearest around it; -1 for the root. A plugin may have any name, so that the path alone does not tell. */
function parentOf(contexts: readonly Context[], position: number): number {
  const { context } = contexts[position] as Context
  return contexts.slice(0, position).findLastIndex((other) => isWithin(context, other.context))
}
