import type { ContextNode, RouteNode } from '../model/index.ts'

/** A context of the source and the one of the booted application that is the same; one of them may be missing. */
export interface Pair {
  readonly scanned: ContextNode | undefined
  readonly recorded: ContextNode | undefined
}

/**
 * Pairs contexts that stand in the same context. They have no names that could be relied on: those that have most in common
 * are the same, in the order in which the application registers them.
 */
export function alignContexts(
  scanned: readonly ContextNode[],
  recorded: readonly ContextNode[],
): Pair[] {
  const left = new Set(scanned)
  const partners = new Map<ContextNode, ContextNode>()
  // Those with the same prefix first: another prefix makes other URLs, so it is hardly the same.
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

/** The first of those that have most in common with `one`. */
function mostAlike(one: ContextNode, candidates: readonly ContextNode[]): ContextNode | undefined {
  const own = traits(one)
  let best: ContextNode | undefined
  let most = -1
  for (const candidate of candidates) {
    const others = traits(candidate)
    const common = [...own].filter((trait) => others.has(trait)).length
    // What only one of them has tells them apart as well.
    const score = common / Math.max(own.size, others.size, 1)
    if (score > most) [best, most] = [candidate, score]
  }
  return best
}

/** What tells a context from its siblings. */
function traits({ name, routes, schemas, unknownSchemas, children }: ContextNode): Set<string> {
  const own = new Set([`name ${name}`, ...routes.map(routeKey)])
  for (const { id } of [...schemas, ...unknownSchemas]) own.add(`schema ${id}`)
  for (const child of children) for (const trait of traits(child)) own.add(trait)
  return own
}

/** What a route answers to. Routes that differ by constraints, or by conditions, share it. */
export function routeKey({ methods, url }: RouteNode): string {
  return `${methods.join(', ')} ${url}`
}
