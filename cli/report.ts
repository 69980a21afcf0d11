import type { CompiledArtifact, Diagnostic, Manifest } from '../compiler/index.ts'
import { codeFrame } from '../compiler/index.ts'

/** The figures of a build. */
export interface Summary {
  readonly contexts: number
  /** HEAD twins are not counted. */
  readonly routes: number
  /** Request parts and responses with a schema. */
  readonly schemas: number
  /** Distinct functions that were compiled for them. */
  readonly functions: number
  /** Schemas that the application compiles itself. */
  readonly external: number
  /** Size of the functions' files. */
  readonly bytes: number
  readonly milliseconds: number
  readonly out: string
}

export function summaryOf({
  manifest,
  output,
}: CompiledArtifact): Omit<Summary, 'milliseconds' | 'out'> {
  const routes = manifest.routes.filter((route) => !isTwin(route, manifest))
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
    bytes: output.bytes,
  }
}

/** The tree of contexts with their routes, then the figures. */
export function reportText({ manifest }: CompiledArtifact, summary: Summary): string {
  const { contexts, routes, schemas, functions, external, bytes, milliseconds, out } = summary
  const own =
    external > 0 ? `, ${plural(external, 'schema')} left to the application's own compilers` : ''
  return `${treeText(manifest)}

${plural(routes, 'route')} in ${plural(contexts, 'context')}: ${plural(schemas, 'schema')}${own}
${plural(functions, 'function')}, ${(bytes / 1024).toFixed(1)} kB, built in ${(milliseconds / 1000).toFixed(1)} s

Wrote ${out}. Start the application with
  node --import ./${out}/register.js <app.js>`
}

type Route = Manifest['routes'][number]

function isTwin(route: Route, { routes }: Manifest): boolean {
  return (
    route.method === 'HEAD' &&
    routes.some(({ method, url, at }) => method === 'GET' && url === route.url && at === route.at)
  )
}

function treeText(manifest: Manifest): string {
  const lines: string[] = []
  const [root] = manifest.contexts
  if (root) addContext(root, '')
  return lines.join('\n')

  function addContext(node: Manifest['contexts'][number], indent: string): void {
    const name = node.context.split(' > ').at(-1)
    const prefix = node.prefix === '' ? '' : ` ${node.prefix}`
    const schemas = node.schemas.length > 0 ? `  adds ${node.schemas.join(', ')}` : ''
    lines.push(`${indent}${name}${prefix}${schemas}`)
    const routes = manifest.routes.filter(
      (route) => route.context === node.context && !isTwin(route, manifest),
    )
    for (const route of routes) lines.push(`${indent}  ${routeText(route)}`)
    const level = node.context.split(' > ').length + 1
    for (const child of manifest.contexts) {
      const isChild =
        child.context.startsWith(`${node.context} > `) &&
        child.context.split(' > ').length === level
      if (isChild) addContext(child, `${indent}  `)
    }
  }
}

function routeText({ method, url, validators, serializers, external }: Route): string {
  const parts = [
    ...Object.keys(validators),
    ...Object.keys(serializers),
    ...external.map((part) => `${part} (own compiler)`),
  ]
  return `${method.padEnd(6)} ${url}${parts.length > 0 ? `  [${parts.join(', ')}]` : ''}`
}

/** Every problem with its code, place and frame. */
export function problemsText(
  diagnostics: readonly Diagnostic[],
  readSource: (file: string) => string,
): string {
  const texts = diagnostics.map(({ code, message, at }) => {
    const head = `${at.file}:${at.line}:${at.column}  ${code}\n${message}`
    const source = at.line > 0 ? readSource(at.file) : ''
    return source === '' ? head : `${head}\n\n${codeFrame(source, at)}`
  })
  return `${texts.join('\n\n')}\n\n${plural(diagnostics.length, 'problem')}; nothing was written.`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
