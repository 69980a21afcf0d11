/**
 * Writes the OpenAPI document of an application without starting it.
 *
 * As in the running application, @fastify/swagger does it: the manifest's declarations are replayed to the plugin in the order of a
 * boot. If the application gives the plugin options for OpenAPI, they and its version are used, because they decide what is written.
 * Otherwise each shared schema becomes a component with its own name. If these options contain functions, such as the `transform` of a type
 * provider, the document is the one that the plugin wrote in the boot of the application.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { partOf } from '../../compiler/2-tree/parts.ts'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import { keyOfPart } from '../../compiler/5-artifact/read/schemas.ts'
import type { Diagnostic } from '../../compiler/model/index.ts'
import { HIDDEN_EXAMPLES, liftDefinitions } from './definitions.ts'
import { explainRefusal } from './refused.ts'
import { replay } from './replay.ts'
import type { SwaggerPlugin } from './replay.ts'

export type OpenapiResult = WrittenDocument | { readonly diagnostics: readonly Diagnostic[] }

export interface WrittenDocument {
  readonly document: Document
  /** Descriptions of what the document may lack, such as what only the running application knows. */
  readonly unknown: readonly string[]
}

type Document = Readonly<Record<string, unknown>>

/** Defaults for what the application doesn't say about itself. */
export interface About {
  readonly name: string
  readonly version: string
}

/** @param root folder of the application's package */
export function openapiOf(whole: Manifest, about: About, root?: string): OpenapiResult {
  const recorded = whole.documentation?.document as Document | undefined
  if (typeof recorded?.['openapi'] === 'string') return { document: recorded, unknown: [] }
  const manifest = withKnownUrls(whole)
  const { options = {} } = manifest.documentation ?? {}
  const isOpenapi = typeof options['openapi'] === 'object' && options['openapi'] !== null
  const write = isOpenapi
    ? (one: Manifest) => documentOf(one, options, root)
    : (one: Manifest) => plainDocumentOf(one, options, about)
  try {
    const document = write(manifest)
    return {
      document,
      unknown: [...unknownOf(whole), ...(isOpenapi ? [] : securityOf(manifest))],
    }
  } catch (error) {
    return { diagnostics: explainRefusal(error, manifest, write) }
  }
}

/** Returns the document of an application that gives the plugin no options for OpenAPI. */
function plainDocumentOf(manifest: Manifest, pluginOptions: Document, about: About): Document {
  const info = { title: about.name, version: about.version }
  const options = {
    ...pluginOptions,
    openapi: { openapi: '3.1.0', info, ...membersOf(pluginOptions['swagger'], sharedMembers) },
    refResolver: { buildLocalReference: createNames() },
  }
  const routes = manifest.routes.map(withoutSecurity)
  const document = documentOf(liftDefinitions({ ...manifest, routes }), options)
  return toVersion31(document) as Document
}

/** Describes what requires security schemes: without options for OpenAPI, nothing declares them. */
function securityOf({ documentation, routes }: Manifest): readonly string[] {
  const { swagger } = documentation?.options ?? {}
  const required = [
    [
      `@fastify/swagger at ${documentation?.at}`,
      schemesOf(membersOf(swagger, ['security'])),
    ] as const,
    ...routes
      .filter(({ isTwin }) => isTwin !== true)
      .map(({ method, url, schema }) => [`${method} ${url}`, schemesOf(schema?.about)] as const),
  ]
  return required
    .filter(([, schemes]) => schemes.length > 0)
    .map(
      ([who, schemes]) =>
        `security of ${who}: declare ${schemes.join(', ')} in \`openapi.components.securitySchemes\` of @fastify/swagger`,
    )
}

/** Returns the names of the security schemes that an operation requires. */
function schemesOf({ security }: { readonly security?: unknown } = {}): readonly string[] {
  const all: readonly unknown[] = Array.isArray(security) ? security : []
  const named = all.filter((one): one is object => typeof one === 'object' && one !== null)
  return [...new Set(named.flatMap((one) => Object.keys(one)))]
}

function withoutSecurity(route: Route): Route {
  const { schema } = route
  if (schema === undefined || schemesOf(schema.about).length === 0) return route
  const { security: _, ...about } = schema.about
  return { ...route, schema: { ...schema, about } }
}

/** Leaves out contexts whose prefix isn't known, and their routes. */
function withKnownUrls(manifest: Manifest): Manifest {
  const contexts = manifest.contexts.filter(({ isPrefixKnown }) => isPrefixKnown !== false)
  const known = new Set(contexts.map(({ context }) => context))
  return { ...manifest, contexts, routes: manifest.routes.filter((one) => known.has(one.context)) }
}

/**
 * Returns the document that the plugin writes with these options.
 *
 * @param root folder whose plugin is used; our own copy without it, or if it has no version that replays support
 */
export function documentOf(
  manifest: Manifest,
  options: object,
  root?: string,
): Readonly<Record<string, unknown>> {
  const installed = root === undefined ? undefined : pluginOf(root)
  if (installed !== undefined) return replay(manifest, options, installed)
  const document = replay(manifest, options, loadPlugin(import.meta.url))
  return manifest.line === 'fastify@5' ? withBodiesOf9(document) : document
}

/**
 * @fastify/swagger 9, the version for Fastify 5, marks every body as required, because Fastify 5 refuses a request without one, and knows
 * bodies with a schema for each media type.
 */
function withBodiesOf9(document: Record<string, unknown>): Record<string, unknown> {
  const { paths = {} } = document as { paths?: Readonly<Record<string, Record<string, object>>> }
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations) as { requestBody?: RequestBody }[]) {
      const { requestBody } = operation
      if (requestBody === undefined) continue
      const [media] = Object.values(requestBody.content)
      const content = media?.schema.content ?? requestBody.content
      operation.requestBody = { required: true, ...requestBody, content }
    }
  }
  return document
}

interface RequestBody {
  readonly required?: boolean
  readonly content: Readonly<Record<string, { readonly schema: Partial<RequestBody> }>>
}

/** Replaces `nullable`, a keyword of Ajv and OpenAPI 3.0, by the type that OpenAPI 3.1 has for it, and restores `examples`. */
function toVersion31(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toVersion31)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key === HIDDEN_EXAMPLES ? 'examples' : key,
      toVersion31(one),
    ]),
  )
  const { nullable, type } = members
  if (nullable !== true || (typeof type !== 'string' && !Array.isArray(type))) return members
  delete members['nullable']
  return { ...members, type: [...new Set([type, 'null'].flat())] }
}

/** Members that Swagger 2.0 and OpenAPI share, without `security`: both declare its schemes in different ways. */
const sharedMembers = ['info', 'tags', 'externalDocs']

function membersOf(value: unknown, names: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

/** Names components after the end of their schema's `$id`, numbering duplicates. */
function createNames(): (schema: { readonly $id?: string }) => string {
  const names = new Map<string, string>()
  return ({ $id = '' }) => {
    const known = names.get($id)
    if (known !== undefined) return known
    const end = /[^/#]+(?=[/#]*$)/.exec($id)?.[0].replace(/[^\w.-]/g, '-') ?? 'schema'
    const used = new Set(names.values())
    let name = end
    for (let i = 2; used.has(name); i++) name = `${end}-${i}`
    names.set($id, name)
    return name
  }
}

const name = '@fastify/swagger'

function loadPlugin(from: string): SwaggerPlugin {
  return createRequire(from)(name) as SwaggerPlugin
}

/** Returns the application's plugin, if replays support its version. */
function pluginOf(root: string): SwaggerPlugin | undefined {
  const from = join(root, 'package.json')
  let packageJson: string
  try {
    packageJson = createRequire(from).resolve(`${name}/package.json`)
  } catch {
    // The artifact may be inspected where the application isn't installed.
    return undefined
  }
  const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }
  return /^[789]\./.test(version) ? loadPlugin(from) : undefined
}

function unknownOf({ documentation, dynamic, routes, bootStop }: Manifest): string[] {
  const options = documentation?.unknown ?? []
  const parts = routes
    .filter(({ method }) => method !== 'HEAD')
    .flatMap(({ method, url, dynamic: dynamicParts, external, schema }) => {
      const shown = shownParts(schema)
      const left = external.filter((part) => !shown.has(keyOfPart(part)))
      return [...dynamicParts, ...left.map((part) => ({ part }))].map(
        ({ part }) => `${part} of ${method} ${url}`,
      )
    })
  // A boot that ends finds them.
  const failure = documentation?.failure ?? (options.length > 0 ? bootStop?.message : undefined)
  return [
    ...(failure === undefined ? [] : [`the document that the application writes: ${failure}`]),
    ...options.map((path) => `the option \`${path}\` of @fastify/swagger at ${documentation?.at}`),
    ...parts,
    ...dynamic.map(({ message, at }) => `${at}: ${message}`),
  ]
}

/** Returns the parts that are JSON. A schema that the application compiles itself may be anything. */
function shownParts(schema: Route['schema']): ReadonlySet<string | undefined> {
  return new Set([
    ...Object.keys(schema?.parts ?? {}).map((name) => partOf([name])),
    ...Object.keys(schema?.responses ?? {}).map((status) => partOf(['response', status])),
  ])
}
