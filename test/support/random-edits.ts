/** An application of several files as data, and random edits of it. */
import fc from 'fast-check'

export interface Application {
  readonly plugins: readonly Plugin[]
  /** `constants.js`. */
  readonly constants: Readonly<Record<'LIMIT' | 'SIZE', number>>
  /** The limit of each shared schema, by its `$id`. */
  readonly shared: Readonly<Record<'one' | 'two', number>>
  /** The factory options as source text. */
  readonly options: string
  /** A number in the package `makers`, and in a JSON file that the application reads. */
  readonly installed: number
  /** Added to a file of a plugin. */
  readonly mistake: string
}

interface Plugin {
  readonly file: string
  readonly prefix: string
  readonly routes: readonly Route[]
  /** The schemas that several routes use have this limit. */
  readonly limit: number
  readonly comment: string
}

interface Route {
  readonly path: string
  /** Source text of the schemas. */
  readonly body: string
  readonly response: string
  readonly handler: string
}

/** Schemas as literals, with values of other files, and by code that the build has to run. */
const schemas: readonly ((n: number) => string)[] = [
  (n) => `{ type: 'object', properties: { n: { type: 'integer', maximum: ${n} } } }`,
  (n) => `{ type: 'object', properties: { n: { type: 'integer', maximum: LIMIT + ${n} } } }`,
  () => `{ type: 'object', properties: { n: { type: 'integer', maximum: all.SIZE } } }`,
  (n) => `{ type: 'object', properties: { n: text(${n}) } }`,
  (n) => `{ type: 'object', properties: { n: list({ type: 'integer', maximum: ${n} }) } }`,
  () => 'item',
  () => `{ ...item, required: [] }`,
  () => `{ type: 'object', properties: { n: { $ref: 'one#' } } }`,
  () =>
    `{ type: 'object', properties: { n: { $ref: 'two#/properties/n' }, d: { $ref: 'data#' } } }`,
  (n) => `{ type: 'object', properties: { ['n' + ${n}]: { type: 'null' }, c: { const: null } } }`,
  () => 'common',
  () => 'make()',
  () => 'run(make)',
  (n) =>
    `{ ...run(() => ({ required: [] })), properties: { n: { type: 'integer', maximum: ${n} } } }`,
  (n) => `more ? common : { type: 'object', properties: { n: { maximum: ${n} } } }`,
]

/** Unknown to the build, or wrong. */
const wrongSchemas: readonly string[] = [
  `{ type: 'object', properties: { n: { $ref: 'absent#' } } }`,
  `{ type: 'object', properties: { n: { type: 'integer', maximum: Date.now() } } }`,
  `{ type: 'intger' }`,
]

const handlers: readonly ((n: number) => string)[] = [
  (n) => `const seen = ${n}`,
  (n) => `const inner = { type: 'object', n: [${n}, { a: (() => ${n})() }] }`,
  () => `await import('makers')`,
]

const options: readonly string[] = [
  '',
  '{ ajv: { customOptions: { allErrors: true } } }',
  '{ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } }',
  '{ exposeHeadRoutes: false, ignoreTrailingSlash: true }',
]

const mistakes: readonly string[] = ['\n}', "\nconst '", '\nthrow new Error("no")']

/** The numbers say which and how. */
type Change = (app: Application, a: number, b: number) => Application

const changes: Readonly<Record<string, Change>> = {
  body: (app, a, b) => onRoute(app, a, (route) => ({ ...route, body: schema(a, b) })),
  response: (app, a, b) => onRoute(app, a, (route) => ({ ...route, response: schema(a, b) })),
  wrongBody: (app, a, b) => onRoute(app, a, (route) => ({ ...route, body: pick(wrongSchemas, b) })),
  handler: (app, a, b) => onRoute(app, a, (route) => ({ ...route, handler: pick(handlers, a)(b) })),
  limit: (app, a, b) => onPlugin(app, a, (plugin) => ({ ...plugin, limit: b })),
  comment: (app, a, b) => onPlugin(app, a, (plugin) => ({ ...plugin, comment: `// ${b}\n` })),
  prefix: (app, a, b) => onPlugin(app, a, (plugin) => ({ ...plugin, prefix: `/p${a}-${b}` })),
  move: (app, a, b) => onPlugin(app, a, (plugin) => ({ ...plugin, file: `moved/${a}-${b}.js` })),
  add: (app, a, b) =>
    onPlugin(app, a, ({ routes, ...plugin }) => ({
      ...plugin,
      routes: [...routes.slice(0, 4), routeAt(`/added${a}-${b}`, schema(a, b))],
    })),
  remove: (app, a) => onPlugin(app, a, (plugin) => ({ ...plugin, routes: plugin.routes.slice(1) })),
  swap: (app, a) =>
    onPlugin(app, a, (plugin) => ({ ...plugin, routes: plugin.routes.toReversed() })),
  register: (app, a) => ({
    ...app,
    plugins:
      app.plugins.length > 2
        ? app.plugins.slice(1)
        : [...app.plugins, pluginAt(`extra${a}.js`, `/x${a}`)],
  }),
  shared: (app, a, b) => ({ ...app, shared: { ...app.shared, [a % 2 === 0 ? 'one' : 'two']: b } }),
  constant: (app, a, b) => ({
    ...app,
    constants: { ...app.constants, [a % 2 === 0 ? 'LIMIT' : 'SIZE']: b },
  }),
  option: (app, a) => ({ ...app, options: pick(options, a) }),
  install: (app, a) => ({ ...app, installed: 1 + a }),
  mistake: (app, a) => ({ ...app, mistake: pick(mistakes, a) }),
}

export interface Edit {
  readonly kind: string
  readonly a: number
  readonly b: number
}

/** Corrects the mistake of the edit before. */
export function edited(app: Application, { kind, a, b }: Edit): Application {
  const { mistake: _, ...rest } = app
  const plugins = rest.plugins.map((plugin) => ({
    ...plugin,
    routes: plugin.routes.map((route) =>
      wrongSchemas.includes(route.body) ? { ...route, body: schema(0, a) } : route,
    ),
  }))
  const change = changes[kind] as Change
  return change({ ...rest, plugins, mistake: '' }, a, b)
}

/** Sequences in which few kinds of edits are missing, and those of schemas and handlers may come twice. */
export const edits: fc.Arbitrary<readonly Edit[]> = fc
  .shuffledSubarray([...Object.keys(changes), 'body', 'response', 'handler'], {
    minLength: 7,
    maxLength: 9,
  })
  .chain((kinds) =>
    fc.tuple(
      ...kinds.map((kind) =>
        fc.record({ kind: fc.constant(kind), a: fc.nat(200), b: fc.nat(200) }),
      ),
    ),
  )

export const start: Application = {
  plugins: [pluginAt('first.js', '/first'), pluginAt('routes/second.js', '/second')],
  constants: { LIMIT: 3, SIZE: 40 },
  shared: { one: 10, two: 20 },
  options: '',
  installed: 5,
  mistake: '',
}

function pluginAt(file: string, prefix: string): Plugin {
  const routes = [
    routeAt('/a', schema(0, 1)),
    routeAt('/b', schema(3, 5)),
    routeAt('/c', 'common'),
    routeAt('/d', 'run(make)'),
  ]
  return { file, prefix, routes, limit: 7, comment: '' }
}

function routeAt(path: string, body: string): Route {
  return { path, body, response: schema(7, 0), handler: '' }
}

function schema(a: number, b: number): string {
  return pick(schemas, a)(b)
}

function onPlugin(app: Application, a: number, change: (plugin: Plugin) => Plugin): Application {
  const plugins = app.plugins.map((one, i) => (i === a % app.plugins.length ? change(one) : one))
  return { ...app, plugins }
}

function onRoute(app: Application, a: number, change: (route: Route) => Route): Application {
  return onPlugin(app, a, (plugin) => {
    const at = (a >> 2) % Math.max(1, plugin.routes.length)
    return { ...plugin, routes: plugin.routes.map((one, i) => (i === at ? change(one) : one)) }
  })
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

/** The files of the application, by paths. */
export function filesOf(app: Application): ReadonlyMap<string, string> {
  const { plugins, constants, installed, mistake } = app
  return new Map([
    ['package.json', '{ "private": true, "type": "module" }'],
    ['app.js', entryOf(app)],
    ['constants.js', `export const LIMIT = ${constants.LIMIT}, SIZE = ${constants.SIZE}\n`],
    [
      'schemas.ts',
      `import { SIZE } from './constants.js'
export interface Item { name: string }
export const item = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: SIZE } } } as const
`,
    ],
    ['data.json', JSON.stringify({ $id: 'data', type: 'string', maxLength: installed })],
    ...plugins.map((plugin, i): [string, string] => [
      plugin.file,
      textOf(plugin) + (i === 0 ? mistake : ''),
    ]),
    [
      'node_modules/makers/package.json',
      '{ "name": "makers", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
    ],
    [
      'node_modules/makers/index.js',
      `import { more } from './more.js'
export const text = (size) => ({ type: 'string', maxLength: size + more })
export const list = (items) => ({ type: 'array', items, maxItems: more })
export const run = (make) => make()
`,
    ],
    ['node_modules/makers/more.js', `export const more = ${installed}\n`],
  ])
}

function entryOf({ plugins, shared, options }: Application): string {
  const schemas = Object.entries(shared).map(
    ([id, limit]) =>
      `app.addSchema({ $id: '${id}', type: 'object', properties: { n: { type: 'integer', maximum: ${limit} }, deep: { type: 'string', maxLength: LIMIT } } })`,
  )
  return `import framework from 'framework'
import { readFileSync } from 'node:fs'
import { LIMIT } from './constants.js'
${plugins.map(({ file }, i) => `import plugin${i} from './${file}'`).join('\n')}
export default function build() {
  const app = framework(${options})
  ${schemas.join('\n  ')}
  app.addSchema(JSON.parse(readFileSync(new URL('./data.json', import.meta.url), 'utf8')))
${plugins.map(({ prefix }, i) => `  app.register(plugin${i}, { prefix: '${prefix}' })`).join('\n')}
  return app
}
`
}

function textOf({ file, routes, limit, comment }: Plugin): string {
  const up = file.includes('/') ? '..' : '.'
  const declared = routes.map(
    ({ path, body, response, handler }) => `  app.post('${path}', {
    schema: { body: ${body}, response: { 200: ${response} } },
  }, async (request, reply) => {
    ${handler}
    return { n: 1 }
  })
`,
  )
  return `${comment}import { LIMIT, SIZE } from '${up}/constants.js'
import * as all from '${up}/constants.js'
import { text, list, run } from 'makers'
import { item } from '${up}/schemas.ts'
const common = { type: 'object', properties: { n: { type: 'integer', maximum: ${limit} } } }
const more = common.properties.n.maximum > 100
const make = () => ({ type: 'object', properties: { n: { type: 'integer', minimum: ${limit} } } })
export default async function plugin(app) {
  if (more) app.get('/more', { schema: { response: { 200: common } } }, async () => ({ n: 1 }))
${declared.join('')}}
`
}
