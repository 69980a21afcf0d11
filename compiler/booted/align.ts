/** Pairs contexts in the source with those of the booted application. */
import type { ContextNode, ContextTree, InstanceTree, RouteNode } from '../model/index.ts'
import { instancesOf } from '../report/context-path.ts'

/** A declaration in the source, and the same one of the booted application. One of them may be missing. */
export interface Pair<T> {
  readonly scanned: T | undefined
  readonly recorded: T | undefined
}

/** Pairs the instances of two trees. The pair of the scanned main instance comes first: in a boot, another one may be the main instance. */
export function alignInstances(
  scanned: ContextTree,
  recorded: ContextTree,
): readonly Pair<InstanceTree>[] {
  const [here, there] = [instancesOf(scanned), instancesOf(recorded)]
  const byRoot = new Map<unknown, InstanceTree>([...here, ...there].map((one) => [one.root, one]))
  const rootOf = ({ root }: InstanceTree): ContextNode => root
  return alignContexts(here.map(rootOf), there.map(rootOf))
    .map((pair) => ({ scanned: byRoot.get(pair.scanned), recorded: byRoot.get(pair.recorded) }))
    .sort((a, b) => Number(b.scanned === scanned) - Number(a.scanned === scanned))
}

/**
 * Pairs the children of two contexts. Names aren't reliable, so children with the most in common are paired,
 * in the order of registration.
 */
export function alignContexts(
  scanned: readonly ContextNode[],
  recorded: readonly ContextNode[],
): Pair<ContextNode>[] {
  const unpaired = new Set(scanned)
  const partners = new Map<ContextNode, ContextNode>()
  // Children with the same prefix first, then those with the same name: contexts with other prefixes are hardly the same. A conditional
  // one is more likely to be missing in this boot.
  for (const byName of [false, true]) {
    for (const one of recorded) {
      if (partners.has(one)) continue
      const candidates = [...unpaired].filter((other) =>
        byName ? other.name === one.name && !other.isConditional : other.prefix === one.prefix,
      )
      const best = mostAlike(one, candidates)
      if (best === undefined) continue
      partners.set(one, best)
      unpaired.delete(best)
    }
  }
  return [
    ...recorded.map((one) => ({ scanned: partners.get(one), recorded: one })),
    ...[...unpaired].map((one) => ({ scanned: one, recorded: undefined })),
  ]
}

/** Returns the first candidate with the most in common. */
function mostAlike(one: ContextNode, candidates: readonly ContextNode[]): ContextNode | undefined {
  const wanted = traits(one)
  let best: ContextNode | undefined
  let most = -1
  for (const candidate of candidates) {
    const others = traits(candidate)
    const common = [...wanted].filter((trait) => others.has(trait)).length
    // The share of common traits: traits that only one context has lower it.
    const score = common / Math.max(wanted.size, others.size, 1)
    if (score > most) [best, most] = [candidate, score]
  }
  return best
}

/** Traits that distinguish a context from its siblings. */
function traits({ name, routes, schemas, unknownSchemas, children }: ContextNode): Set<string> {
  const found = new Set([`name ${name}`, ...routes.map(routeKey)])
  for (const { id } of [...schemas, ...unknownSchemas]) found.add(`schema ${id}`)
  for (const child of children) for (const trait of traits(child)) found.add(trait)
  return found
}

/** Key of the requests that a route answers. Routes that differ by constraints or conditions share it. */
export function routeKey({ methods, url }: RouteNode): string {
  return `${methods.join(', ')} ${url}`
}
