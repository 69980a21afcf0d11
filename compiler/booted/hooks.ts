/** Completes the hooks of a tree by those that the booted application has. */
import { isDeepStrictEqual } from 'node:util'
import type {
  ContextNode,
  ContextTree,
  InstanceTree,
  RouteNode,
  SeenHook,
  SeenPlugin,
} from '../model/index.ts'
import { requestHooks } from '../model/request-hooks.ts'
import { instancesOf } from '../report/context-path.ts'
import { alignContexts, alignInstances, routeKey } from './align.ts'
import type { Booted } from './recorded.ts'

/** @param isTrusted true if the boot had the environment of the running application, so that it knows which conditions hold */
export function completeHooks(
  tree: ContextTree,
  { tree: booted, recording: { decorators } }: Booted,
  isTrusted: boolean,
): ContextTree {
  const [main, ...others] = alignInstances(tree, booted).flatMap(({ scanned, recorded }) => {
    if (scanned === undefined) return []
    return [recorded ? { ...scanned, root: inContext(scanned.root, recorded.root, []) } : scanned]
  })
  return { ...(main as InstanceTree), others }

  /** @param outer the plugins of packages in the enclosing contexts */
  function inContext(
    scanned: ContextNode,
    recorded: ContextNode,
    outer: readonly SeenPlugin[],
  ): ContextNode {
    const { plugins = [] } = scanned
    const visible = [...outer, ...plugins]
    // A recording has no place for plugins.
    const hooks = (recorded.hooks ?? []).map((one) => ({
      ...one,
      at: visible.find(({ name }) => name === one.package)?.at ?? one.at,
    }))
    const children = alignContexts(scanned.children, recorded.children)
    const partners = new Map(children.map((pair) => [pair.scanned, pair.recorded]))
    return {
      ...scanned,
      hooks: merge(scanned.hooks ?? [], hooks, isSameCall),
      plugins: plugins.map((one) => ({ ...one, areHooksKnown: isTrusted || !one.isConditional })),
      routes: scanned.routes.map((route) => inRoute(route, recorded.routes, plugins.length > 0)),
      children: scanned.children.map((child) => {
        const partner = partners.get(child)
        return partner === undefined ? child : inContext(child, partner, visible)
      }),
    }
  }

  /** Changes the route itself, because bindings of its schemas refer to it. */
  function inRoute(route: RouteNode, recorded: readonly RouteNode[], isOpen: boolean): RouteNode {
    const alike = recorded.filter((one) => routeKey(one) === routeKey(route))
    const near = alike.filter(({ at }) => at.line === route.at.line && at.file === route.at.file)
    const [partner, ...rest] = near.length > 0 ? near : alike
    const isClear = rest.every(
      ({ hooks, twinHooks }) =>
        isDeepStrictEqual(hooks, partner?.hooks) &&
        isDeepStrictEqual(twinHooks, partner?.twinHooks),
    )
    const { hooks = [], twins } = route
    if (partner === undefined || !isClear) {
      if (!isOpen) return route
      const why = 'plugins of packages may add hooks to this route'
      const any = { hook: '*', name: '', plugin: undefined, unknown: why, at: route.at }
      return Object.assign(route, { hooks: [...hooks, { ...any, isConditional: false }] })
    }
    const ofTwin = partner.twinHooks
    if (ofTwin)
      for (const twin of twins ?? [])
        Object.assign(twin, { hooks: mergeOfRoute(twin.hooks ?? [], ofTwin) })
    return Object.assign(route, {
      ...(ofTwin && { twinHooks: mergeOfRoute(hooks, ofTwin) }),
      hooks: mergeOfRoute(hooks, partner.hooks ?? []),
    })
  }

  function mergeOfRoute(
    scanned: readonly SeenHook[],
    recorded: readonly SeenHook[],
  ): readonly SeenHook[] {
    return requestHooks.flatMap((kind) => {
      const [here, there] = [scanned, recorded].map((all) =>
        all.filter(({ hook }) => hook === kind),
      ) as [SeenHook[], SeenHook[]]
      const others = there.filter((one) => !here.some((known) => isSameFunction(known, one)))
      const open = here.filter(({ unknown }) => unknown !== undefined)
      const mine = others.filter((one) => one.package === undefined)
      // Functions that the scan doesn't know are in the same order.
      const partners = new Map(
        open.length === mine.length ? open.map((one, i) => [one, mine[i]]) : [],
      )
      return merge(
        here,
        there,
        (one, other) => partners.get(one) === other || isSameFunction(one, other),
      )
    })
  }

  /** Merges two lists that are in the order in which the hooks run. */
  function merge(
    scanned: readonly SeenHook[],
    recorded: readonly SeenHook[],
    isSame: (scanned: SeenHook, recorded: SeenHook) => boolean,
  ): SeenHook[] {
    const rest = scanned.filter(({ hook, isConditional }) => hook !== '*' || isConditional)
    const merged = recorded.flatMap((hook) => {
      const partner = rest.find((one) => isSame(one, hook))
      if (partner === undefined) return [hook]
      const before = rest.slice(0, rest.indexOf(partner)).filter((one) => one.hook === hook.hook)
      for (const one of [...before, partner]) rest.splice(rest.indexOf(one), 1)
      return [...before.flatMap(unmatched), known(partner, hook)]
    })
    return [...merged, ...rest.flatMap(unmatched)]
  }

  /** Makes a hook conditional that the boot didn't add: another environment may add it. */
  function unmatched(hook: SeenHook): readonly SeenHook[] {
    if (hook.hook !== '*' && !requestHooks.includes(hook.hook)) return [hook]
    if (isTrusted && hook.isConditional) return []
    return [hook.unknown === undefined ? { ...hook, isConditional: true } : hook]
  }

  function known(scanned: SeenHook, recorded: SeenHook): SeenHook {
    const decorator = scanned.decorator?.replace('()', '') ?? ''
    return {
      ...scanned,
      name: scanned.name || recorded.name,
      package: scanned.package ?? recorded.package ?? (decorators[decorator] || undefined),
      unknown: undefined,
      isConditional: recorded.isConditional || (scanned.isConditional && !isTrusted),
    }
  }
}

/** Returns whether code that the scan doesn't follow may add hooks. */
export function mayHaveOtherHooks(tree: ContextTree | undefined): boolean {
  const isOpen = ({ plugins = [], hooks = [], routes, children }: ContextNode): boolean =>
    plugins.length > 0 ||
    [...hooks, ...routes.flatMap((route) => route.hooks ?? [])].some(
      ({ unknown }) => unknown !== undefined,
    ) ||
    children.some(isOpen)
  return tree !== undefined && instancesOf(tree).some(({ root }) => isOpen(root))
}

function isSameCall(scanned: SeenHook, recorded: SeenHook): boolean {
  if (scanned.hook !== recorded.hook) return false
  if (recorded.package !== undefined)
    return scanned.package === recorded.package && isSameName(scanned, recorded)
  return scanned.at.file === recorded.at.file && scanned.at.line === recorded.at.line
}

function isSameFunction(scanned: SeenHook, recorded: SeenHook): boolean {
  const isSamePackage = recorded.package === undefined || scanned.package === recorded.package
  return scanned.unknown === undefined && isSamePackage && isSameName(scanned, recorded)
}

/** The scan doesn't infer all names that JavaScript gives to functions. */
function isSameName({ name }: SeenHook, recorded: SeenHook): boolean {
  return name === '' || name === recorded.name
}
