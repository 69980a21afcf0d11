/** Writes the source of a planned application: its schemas are in the source, its answers come from outside. */
import { fileURLToPath } from 'node:url'
import { literal } from '../../../compiler/util/literal.ts'
import { optionsText } from './options.ts'
import {
  type ContextPlan,
  type Json,
  type PartPlan,
  type Plan,
  type RoutePlan,
  type Trait,
  routesOf,
} from './plan.ts'

const traits: Readonly<Record<Trait, string>> = {
  errorHandler:
    'app.setErrorHandler((error, request, reply) => exchange.fail(error, request, reply))',
  errorFormatter:
    'app.setSchemaErrorFormatter((errors, part) => new Error(`${part}: ${JSON.stringify(errors)}`))',
  notFoundHandler: 'app.setNotFoundHandler((request, reply) => exchange.miss(request, reply))',
  xmlParser:
    "app.addContentTypeParser(/^application\\/(.*\\+)?xml/, { parseAs: 'string' }, (request, body, done) => done(null, { a: body }))",
  anyParser:
    "app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request, body) => body.toString('latin1'))",
}

/** A line of the source; a schema has one of its own, by which it is found again. */
interface Line {
  readonly text: string
  readonly part?: PartPlan
  readonly shared?: Json
}

export function sourceOf(plan: Plan): string {
  return `${linesOf(plan)
    .map(({ text }) => text)
    .join('\n')}\n`
}

/** The part at a line, counted from 1, or those that refer to the shared schema there. */
export function partsAt(plan: Plan, line: number): readonly PartPlan[] {
  const { part, shared } = linesOf(plan)[line - 1] ?? {}
  if (shared === undefined) return part === undefined ? [] : [part]
  const id = shared['$id'] as string
  return [...routesOf(plan.root)]
    .filter(({ externals }) => externals[id] === shared)
    .flatMap(({ route }) => route.parts)
    .filter(({ schema }) => JSON.stringify(schema).includes(`"$ref":"${id}`))
}

function linesOf(plan: Plan): Line[] {
  const { imports, text } = optionsText(plan)
  const before = [
    "import framework from 'framework'",
    "import plugin from 'framework/plugin'",
    ...imports,
    `import * as exchange from ${literal(fileURLToPath(new URL('given.js', import.meta.url)))}`,
    `const options = ${text}`,
    'export default function createApp() {',
    'const app = framework(options)',
    "app.decorate('journal', exchange.journal)",
  ]
  return [...before.map(plain), ...contentOf(plan.root), plain('return app'), plain('}')]
}

function plain(text: string): Line {
  return { text }
}

function contentOf(context: ContextPlan): Line[] {
  return [
    ...context.schemas.map((shared) => ({ text: `app.addSchema(${schemaText(shared)})`, shared })),
    ...context.traits.map((trait) => plain(traits[trait])),
    ...context.routes.flatMap(routeLines),
    ...context.children.flatMap((child) => [
      plain(`app.register(${child.isWrapped ? 'plugin(' : ''}async (app) => {`),
      ...contentOf(child),
      plain(child.isWrapped ? '}))' : `}, ${literal({ prefix: child.prefix })})`),
    ]),
  ]
}

function routeLines({ methods, url, parts, options }: RoutePlan): Line[] {
  const ofRequest = parts.filter(({ part }) => part !== 'response')
  const ofResponse = parts.filter(({ part }) => part === 'response')
  return [
    plain('app.route({'),
    plain(`method: ${literal(methods.length === 1 ? methods[0] : methods)},`),
    plain(`url: ${literal(url)},`),
    ...Object.entries(options).map(([key, value]) => plain(`${key}: ${literal(value)},`)),
    plain('schema: {'),
    ...ofRequest.map((part) => ({ text: `${part.part}: ${schemaText(part.schema)},`, part })),
    ...(ofResponse.length > 0 ? [plain('response: {')] : []),
    ...ofResponse.map((part) => ({ text: responseText(part), part })),
    ...(ofResponse.length > 0 ? [plain('},')] : []),
    plain('},'),
    plain('handler: (request, reply) => exchange.give(request, reply),'),
    plain('})'),
  ]
}

function responseText({ status, contentType, schema }: PartPlan): string {
  const text = schemaText(schema)
  return contentType === undefined
    ? `${literal(status)}: ${text},`
    : `${literal(status)}: { content: { ${literal(contentType)}: { schema: ${text} } } },`
}

/** Uses JSON.parse where `__proto__` in a literal would set the prototype. */
function schemaText(schema: Json | false): string {
  const text = literal(schema)
  return text.includes('__proto__') ? `JSON.parse(${literal(JSON.stringify(schema))})` : text
}
