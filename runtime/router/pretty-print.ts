import { equal } from '../generated/equal.ts'
import { wildcard } from './param-slot.ts'
import { childFor, createRoot, grow, insert, type RouteNode, type TreeRoute } from './tree.ts'
import type { Constraints, PrettyPrintOptions } from './types.ts'

interface PrintableRoute extends TreeRoute {
  readonly method: string
  readonly path: string
}

/** Returns the metadata of a route that `includeMeta` selects from. */
type BuildMeta<R> = (route: R) => Record<string | symbol, unknown>

/** A line with the lines below it. */
interface Line {
  text: string
  readonly below: Lines
}

/** An object instead of a map, because it lists integer keys first, as find-my-way does. */
type Lines = Record<string, Line>

/** Formats the routes as one tree. */
export function prettyPrint<R extends PrintableRoute>(
  routes: readonly R[],
  options: PrettyPrintOptions,
  isVersion9: boolean,
  buildMeta: BuildMeta<R>,
): string {
  if (routes.length === 0) {
    return '(empty tree)'
  }
  const root = routes.reduce((tree, route) => insert(tree, route), createRoot<R>())
  /** The routes that end at each node, and the parameter names of each node. */
  const ends = new Map<RouteNode<R>, R[]>()
  const labels = new Map<RouteNode<R>, Set<string>>()
  for (const route of routes) record(route)
  const lines: Lines = Object.create(null) as Lines
  addLines(root, lines, root.prefix)
  return draw(lines, '')

  function record(route: R): void {
    let end = root
    for (;;) {
      if (end.pending !== null) grow(end)
      const child = childFor(end, route)
      if (child === null) break
      const slot = route.slots[end.depth]
      if (child.slot !== null && slot !== undefined) {
        labels.set(child, (labels.get(child) ?? new Set()).add(slot.label))
      }
      end = child
    }
    ends.set(end, [...(ends.get(end) ?? []), route])
  }

  function addLines(node: RouteNode<R>, to: Lines, text: string): void {
    const here = ends.get(node)
    let below = to
    let prefix = text
    if (here !== undefined || options.commonPrefix !== false) {
      const name = text || '(empty root node)'
      const data = here === undefined ? '' : describeRoutes(here, name, options, buildMeta)
      below = Object.create(null) as Lines
      to[name] = { text: data, below }
      prefix = ''
    }
    const children = [...node.children.values()]
    for (const child of isVersion9 ? children : inObjectOrder(children)) {
      addLines(child, below, prefix + child.prefix)
    }
    for (const child of node.fallbacks) {
      const label = [...(labels.get(child) ?? [])].join('|')
      // As in find-my-way, a wildcard is printed without the prefix.
      addLines(child, below, child.slot === wildcard ? '*' : prefix + label)
    }
  }
}

/** Sorts children as find-my-way 7 does, as the keys of an object: digits first, then in the order of creation. */
function inObjectOrder<R extends TreeRoute>(children: readonly RouteNode<R>[]): RouteNode<R>[] {
  return Object.values(Object.fromEntries(children.map((child) => [child.prefix[0], child])))
}

function draw(lines: Lines, indent: string): string {
  const entries = Object.entries(lines)
  return entries
    .map(([name, { text, below }], i) => {
      const isLast = i === entries.length - 1
      const indentBelow = indent + (isLast ? '    ' : '│   ')
      const indented = text.replaceAll('\n', '\n' + indentBelow)
      return `${indent}${isLast ? '└── ' : '├── '}${name}${indented}\n${draw(below, indentBelow)}`
    })
    .join('')
}

/** Formats methods, constraints and metadata of the routes of a node. */
function describeRoutes<R extends PrintableRoute>(
  routes: readonly R[],
  name: string,
  options: PrettyPrintOptions,
  buildMeta: BuildMeta<R>,
): string {
  const described: { methods: string; constraints: Constraints; meta: Record<string, string> }[] =
    []
  for (const route of routes) {
    const constraints = route.opts.constraints ?? {}
    const meta = metaOf(route, options, buildMeta)
    const similar =
      options.method === undefined
        ? described.find((each) => equal(each.constraints, constraints) && equal(each.meta, meta))
        : undefined
    if (similar === undefined) {
      described.push({ methods: route.method, constraints, meta })
    } else {
      similar.methods += ', ' + route.method
    }
  }
  return described
    .map(({ methods, constraints, meta }) => {
      const isConstrained = Object.keys(constraints).length > 0
      const lines = Object.entries(meta).map(([key, value]) => `\n• (${key}) ${value}`)
      return ` (${methods})${isConstrained ? ' ' + JSON.stringify(constraints, expressionAsText) : ''}${lines.join('')}`
    })
    .join('\n' + name)
}

function metaOf<R>(
  route: R,
  { includeMeta }: PrettyPrintOptions,
  buildMeta: BuildMeta<R>,
): Record<string, string> {
  const meta: Record<string, string> = {}
  if (!includeMeta) {
    return meta
  }
  const all = buildMeta(route)
  const keys = Array.isArray(includeMeta)
    ? (includeMeta as readonly (string | symbol)[])
    : Reflect.ownKeys(all)
  for (const key of keys) {
    const value = Object.hasOwn(all, key) ? all[key] : undefined
    if (value !== undefined && value !== null) {
      meta[key.toString()] = JSON.stringify(toPrintable(value))
    }
  }
  return meta
}

function expressionAsText(_key: string, value: unknown): unknown {
  return value instanceof RegExp ? String(value) : value
}

/** Replaces functions by their names, and symbols and expressions by text. */
function toPrintable(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(toPrintable)
  }
  if (typeof value === 'symbol' || value instanceof RegExp) {
    return value.toString()
  }
  if (typeof value === 'function') {
    const name = value.name.replace('bound', '').trim()
    return `${name || 'anonymous'}()`
  }
  return value
}
