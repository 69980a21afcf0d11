/** Compares what the scan finds in an application with what it declares on Fastify. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { transformSync } from 'esbuild'
import { scan } from '../../../compiler/1-scan/index.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import { loadFunctionOptions } from '../../../compiler/3-resolve/function-options.ts'
import { resolve } from '../../../compiler/3-resolve/index.ts'
import { profileOf, type TargetProfile } from '../../../compiler/servers/index.ts'
import { requestHooks } from '../../../compiler/model/request-hooks.ts'
import type {
  ContextNode,
  ContextTree,
  Diagnostic,
  SeenHook,
} from '../../../compiler/model/index.ts'
import type { LineName } from '../../../runtime/artifact/lines.ts'
import { packages } from '../compile-oracle.ts'
import { boot, type Booted, type BootedContext, toBooted } from '../scan-oracle.ts'
import type { RandomApplication } from './index.ts'

export type Verdict =
  /** Fastify refuses the application. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'equal'; readonly booted: Booted }
  /** The build says that it cannot tell. */
  | { readonly kind: 'reported'; readonly lines: readonly string[] }
  | { readonly kind: 'different'; readonly lines: readonly string[] }

/** Writes the sources to `folder`, and the compiled scripts to `folder/js`. */
export function write(folder: string, { files }: RandomApplication): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    const source = join(folder, path)
    const script = join(folder, 'js', path.replace(/\.ts$/, '.js'))
    for (const file of [source, script]) mkdirSync(dirname(file), { recursive: true })
    writeFileSync(source, text)
    const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'node20.19' })
    writeFileSync(script, code)
  }
}

/** @param line the line of the Fastify to compare with */
export async function check(folder: string, line: LineName = 'framework'): Promise<Verdict> {
  const profile = profileOf(line)
  // Fastify 5 gives both variants of `/` under a prefix the URL of the prefix.
  const normalize = line === 'fastify@5' ? withoutVariants : (one: BootedContext) => one
  const env = { SCAN_FASTIFY: packages[line] }
  const booted = await boot(join(folder, 'js/app.js'), { env })
  if ('failure' in booted) return { kind: 'refused', why: booted.failure }
  const diagnostics: Diagnostic[] = []
  const report = (one: Diagnostic): void => {
    // Applications without routes cause a warning.
    if (one.isWarning !== true) diagnostics.push(one)
  }
  const graph = await scan({ entry: join(folder, 'app.ts'), root: folder, out: '', line }, report)
  const tree = graph && buildTree(graph, report, profile)
  const lines =
    tree === undefined
      ? []
      : [
          ...differences(normalize(booted.root), normalize(toBooted(tree))),
          ...differentTwins(booted, tree),
          ...differentHooks(booted, tree),
          ...(await differentCompilers(booted, tree, report, profile)),
        ]
  if (diagnostics.length > 0) {
    const places = diagnostics.map(
      ({ code, message, at }) => `${at.file}:${at.line} ${code} ${message}`,
    )
    return { kind: 'reported', lines: places }
  }
  if (tree === undefined) return { kind: 'different', lines: ['no application is found'] }
  return lines.length > 0 ? { kind: 'different', lines } : { kind: 'equal', booted }
}

/** Gives both variants of `/` under a prefix the same URL. */
export function withoutVariants(context: BootedContext): BootedContext {
  const { prefix, routes, children } = context
  return {
    ...context,
    routes: routes.map((route) => (route.url === `${prefix}/` ? { ...route, url: prefix } : route)),
    children: children.map(withoutVariants),
  }
}

/** Returns where two trees differ. */
function differences(expected: BootedContext, found: BootedContext, trail = 'root'): string[] {
  const lines: string[] = []
  const compare = (what: string, one: unknown, other: unknown): void => {
    if (isDeepStrictEqual(one, other)) return
    lines.push(`${trail} ${what}\n  - ${JSON.stringify(one)}\n  + ${JSON.stringify(other)}`)
  }
  compare('prefix', expected.prefix, found.prefix)
  compare('schemas', expected.schemas, found.schemas)
  const names = ({ routes }: BootedContext): string[] =>
    routes.map(({ methods, url, exposeHeadRoute }) => `${methods.join()} ${url} ${exposeHeadRoute}`)
  compare('routes', names(expected), names(found))
  for (const [index, route] of expected.routes.entries()) {
    compare(
      `schema of ${route.methods.join()} ${route.url}`,
      route.schema,
      found.routes[index]?.schema,
    )
  }
  compare('contexts', expected.children.length, found.children.length)
  for (const [index, child] of expected.children.entries()) {
    const other = found.children[index]
    if (other !== undefined) lines.push(...differences(child, other, `${trail} > ${index}`))
  }
  return lines
}

/** Returns the HEAD routes whose schemas differ from those of their GET routes. */
function differentTwins({ twins }: Booted, tree: ContextTree): string[] {
  const gets = [...routesOf(tree.root)].filter(({ methods }) => methods.includes('GET'))
  return twins.flatMap(({ url, schema }) => {
    const routes = gets.filter((route) => route.url === url)
    const own = routes.flatMap((route) => route.twins ?? [])
    const found = own.length > 0 ? own : routes
    const isSame = found.some((route) =>
      isDeepStrictEqual(partsOf(route.schema?.value), partsOf(schema)),
    )
    return isSame || found.length === 0
      ? []
      : [
          `HEAD ${url}\n  - ${JSON.stringify(schema)}\n  + ${JSON.stringify(found[0]?.schema?.value)}`,
        ]
  })
}

/** Returns the routes that have other hooks, or in another order. */
function differentHooks({ hooks }: Booted, tree: ContextTree): string[] {
  const found = new Map<string, string[]>()
  for (const { title, hooks: seen } of hooksOfRoutes(tree.root)) {
    const names = seen.map(({ hook, name }) => `${hook} ${name}`).join(', ')
    found.set(title, [...(found.get(title) ?? []), names])
  }
  return hooks.flatMap(({ title, names }) => {
    // Fastify 5 gives both variants of `/` under a prefix the URL of the prefix.
    const all = found.get(title) ?? found.get(`${title}/`) ?? []
    const expected = names.join(', ')
    return all.includes(expected)
      ? []
      : [`hooks of ${title}\n  - ${expected}\n  + ${all.join(' | ')}`]
  })
}

/** Yields the hooks of routes and their HEAD twins in the order in which they run. */
export function* hooksOfRoutes(
  context: ContextNode,
): Iterable<{ readonly title: string; readonly hooks: readonly SeenHook[] }> {
  const inOrder = (own: readonly SeenHook[] = []): readonly SeenHook[] => {
    const all = [...(context.hooks ?? []), ...own]
    return [...requestHooks, '*'].flatMap((kind) => all.filter(({ hook }) => hook === kind))
  }
  for (const { methods, url, hooks, twinUrl, twins = [], twinHooks } of context.routes) {
    yield { title: `${methods.join()} ${url}`, hooks: inOrder(hooks) }
    if (twinUrl === undefined) continue
    const ofTwins = twins.length > 0 ? twins.map((twin) => twin.hooks) : [twinHooks ?? hooks]
    for (const one of ofTwins) yield { title: `HEAD ${twinUrl}`, hooks: inOrder(one) }
  }
  for (const child of context.children) yield* hooksOfRoutes(child)
}

/** Returns the parts of a schema that are compiled. */
function partsOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return {}
  const names = ['body', 'headers', 'params', 'query', 'querystring', 'response']
  const entries = Object.entries(schema).filter(([name]) => names.includes(name))
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as unknown
}

function* routesOf(context: ContextNode): Iterable<ContextNode['routes'][number]> {
  yield* context.routes
  for (const child of context.children) yield* routesOf(child)
}

/** Returns the parts that Fastify gives to another compiler. */
async function differentCompilers(
  { uses }: Booted,
  tree: ContextTree,
  report: (one: Diagnostic) => void,
  line: TargetProfile,
): Promise<string[]> {
  const live = await loadFunctionOptions(tree.options, report)
  const { bindings, external } = resolve(tree, [live], report, line)
  const found = new Set<string>()
  for (const [compiledBy, sites] of [
    ['default', bindings],
    ['own', external],
  ] as const) {
    for (const { route, httpPart } of sites) {
      found.add(`${route.methods.join()} ${route.url} ${httpPart ?? 'response'} ${compiledBy}`)
    }
  }
  const expected = new Set(
    uses.map(
      ({ methods, url, part, compiledBy }) => `${methods.join()} ${url} ${part} ${compiledBy}`,
    ),
  )
  return [...expected].filter((line) => !found.has(line)).map((line) => `compiler of ${line}`)
}
