import type { ContextNode, ContextTree, InstanceTree, RouteNode } from '../model/index.ts'
import { instancesOf } from '../report/context-path.ts'

/**
 * A context of the source paired with the same context of the booted application. One of them may be missing.
 */
export interface Pair {
  readonly scanned: ContextNode | undefined
  readonly recorded: ContextNode | undefined
}

/** A scanned instance and the recorded one that it corresponds to. */
interface InstancePair {
  readonly scanned: InstanceTree | undefined
  readonly recorded: InstanceTree | undefined
}

/** Pairs the instances of two trees. The pair of the scanned main instance comes first: in a boot, another one may be the main instance. */
export function alignInstances(
  scanned: ContextTree,
  recorded: ContextTree,
): readonly InstancePair[] {
  const byRoot = new Map([scanned, recorded].flatMap(instancesOf).map((one) => [one.root, one]))
  const treeOf = (root: ContextNode | undefined): InstanceTree | undefined =>
    root && byRoot.get(root)
  const [here, there] = [scanned, recorded].map((tree) => instancesOf(tree).map(({ root }) => root))
  return alignContexts(here ?? [], there ?? [])
    .map((pair) => ({ scanned: treeOf(pair.scanned), recorded: treeOf(pair.recorded) }))
    .sort((a, b) => Number(b.scanned === scanned) - Number(a.scanned === scanned))
}

/**
 * Pairs the children of two contexts. Names aren't reliable, so children with the most in common are paired,
 * in the order of registration.
 */
export function alignContexts(
  scanned: readonly ContextNode[],
  recorded: readonly ContextNode[],
): Pair[] {
  const left = new Set(scanned)
  const partners = new Map<ContextNode, ContextNode>()
  // Pair children with the same prefix first: another prefix means other URLs, so it is hardly the same
  // context.
  for (const isLast of [false, true]) {
    for (const one of recorded) {
      if (partners.has(one)) continue
      const candidates = [...left].filter((other) =>
        isLast ? other.name === one.name && !other.isConditional : other.prefix === one.prefix,
      )
      const best = mostAlike(one, candidates)
      if (best === undefined) continue
      partners.set(one, best)
      left.delete(best)
    }
  }
  return [
    ...recorded.map((one) => ({ scanned: partners.get(one), recorded: one })),
    ...[...left].map((one) => ({ scanned: one, recorded: undefined })),
  ]
}

/** Returns the first candidate with the most in common. */
function mostAlike(one: ContextNode, candidates: readonly ContextNode[]): ContextNode | undefined {
  const own = traits(one)
  let best: ContextNode | undefined
  let most = -1
  for (const candidate of candidates) {
    const others = traits(candidate)
    const common = [...own].filter((trait) => others.has(trait)).length
    // Traits that only one of them has lower the score.
    const score = common / Math.max(own.size, others.size, 1)
    if (score > most) [best, most] = [candidate, score]
  }
  return best
}

/** Traits that distinguish a context from its siblings. */
function traits({ name, routes, schemas, unknownSchemas, children }: ContextNode): Set<string> {
  const own = new Set([`name ${name}`, ...routes.map(routeKey)])
  for (const { id } of [...schemas, ...unknownSchemas]) own.add(`schema ${id}`)
  for (const child of children) for (const trait of traits(child)) own.add(trait)
  return own
}

/** Key of the requests that a route answers. Routes that differ by constraints or conditions share it. */
export function routeKey({ methods, url }: RouteNode): string {
  return `${methods.join(', ')} ${url}`
}
