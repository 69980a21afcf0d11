/** Finds what a booted application asks for and its source doesn't show. Both are compiled then: a function too many costs bytes only. */
import { resolve } from '../3-resolve/index.ts'
import { loadFunctionOptions, type FunctionOptions } from '../3-resolve/function-options.ts'
import type {
  Binding,
  ContextNode,
  ContextTree,
  InstanceTree,
  OnDiagnostic,
  ResolvedApp,
  RouteNode,
} from '../model/index.ts'
import { instancesOf } from '../report/context-path.ts'
import { warning } from '../report/errors.ts'
import type { TargetProfile } from '../servers/index.ts'
import { alignInstances, routeKey } from './align.ts'
import { describeDifference, partOfBinding } from './compare.ts'
import { mergeTrees } from './merge.ts'
import type { Booted } from './recorded.ts'

/** Problems of a tree itself are reported elsewhere. */
const ignore: OnDiagnostic = () => undefined

/** A tree with the functions in its options, and the result of resolving it. */
export interface ResolvedTree {
  readonly tree: ContextTree
  readonly functions: readonly FunctionOptions[]
  readonly app: ResolvedApp
}

/** A function that the booted application needs and the artifact lacks. */
interface Lack {
  readonly instance: InstanceTree
  readonly functions: FunctionOptions
  readonly bindings: readonly Binding[]
  readonly app: ResolvedApp
}

export async function lackOf(
  { tree, functions, app }: ResolvedTree,
  booted: Booted,
  profile: TargetProfile,
): Promise<readonly Lack[]> {
  const lacks: Lack[] = []
  for (const { scanned, recorded } of alignInstances(tree, booted.tree)) {
    if (recorded === undefined) continue
    // Booting can't record functions in options: use those of the source.
    const { options } = scanned ?? recorded
    const used = scanned
      ? (functions[instancesOf(tree).indexOf(scanned)] as FunctionOptions)
      : await loadFunctionOptions(options, ignore)
    const instance = { ...recorded, options }
    const inBoot = resolve({ ...instance, others: [] }, [used], ignore, profile)
    const bindings = inBoot.bindings.filter(({ digest }) => !app.units.has(digest))
    if (bindings.length > 0) lacks.push({ instance, functions: used, bindings, app: inBoot })
  }
  return lacks
}

/** Adds the routes with these functions, and reports those that the source shows differently. */
export async function addLacking(
  resolved: ResolvedTree,
  booted: Booted,
  lacks: readonly Lack[],
  profile: TargetProfile,
  report: OnDiagnostic,
): Promise<ResolvedTree> {
  for (const lack of lacks) reportDifferences(resolved.app, lack, report)
  const routes = routesOf(lacks)
  const merged = mergeTrees(resolved.tree, booted.tree, {
    takesOptions: false,
    isTrusted: false,
    adds: (route) => routes.has(route),
  })
  const functions = instancesOf(merged).map((_, i) => resolved.functions[i] ?? firstOf(lacks))
  const tree = resolveTree(merged, functions, profile, report)
  // Where shared schemas differ, the same route asks for another function in the tree of the boot.
  const more = await lackOf(tree, booted, profile)
  if (more.length === 0) return tree
  const others = more.map((one) => ({
    ...one.instance,
    root: withRoutes(one.instance.root, routesOf([one])),
  }))
  return resolveTree(
    { ...merged, others: [...merged.others, ...others] },
    [...functions, ...more.map((one) => one.functions)],
    profile,
    report,
  )
}

export function resolveTree(
  tree: ContextTree,
  functions: readonly FunctionOptions[],
  profile: TargetProfile,
  report: OnDiagnostic,
): ResolvedTree {
  return { tree, functions, app: resolve(tree, functions, report, profile) }
}

function firstOf([lack]: readonly Lack[]): FunctionOptions {
  return (lack as Lack).functions
}

function routesOf(lacks: readonly Lack[]): ReadonlySet<RouteNode> {
  return new Set(lacks.flatMap(({ bindings }) => bindings.map(({ route }) => route)))
}

/** Leaves out the other routes, and contexts without routes. */
function withRoutes(context: ContextNode, routes: ReadonlySet<RouteNode>): ContextNode {
  const children = context.children.map((child) => withRoutes(child, routes))
  return {
    ...context,
    routes: context.routes.filter((route) => routes.has(route)),
    children: children.filter((child) => child.routes.length + child.children.length > 0),
  }
}

/** Reports parts that the source shows as well. Routes that only a boot shows are those of packages, or completed. */
function reportDifferences(
  source: ResolvedApp,
  { bindings, app }: Lack,
  report: OnDiagnostic,
): void {
  for (const binding of bindings) {
    const { route, digest, at } = binding
    const key = routeKey(route)
    const part = partOfBinding(binding)
    const alike = source.bindings.filter(
      (one) => routeKey(one.route) === key && partOfBinding(one) === part,
    )
    const [known] = alike
    if (known === undefined) continue
    const schemaIn = ({ units }: ResolvedApp, name: string): unknown => {
      const unit = units.get(name as typeof digest)
      return { schema: unit?.schema, ...unit?.externals }
    }
    const difference = describeDifference(schemaIn(source, known.digest), schemaIn(app, digest))
    report(warning('AOT_BOOT_DIFFERS', known.at ?? at, key, `${part}: ${difference}`))
  }
}
