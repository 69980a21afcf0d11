/** What somebody does to an application between two builds. */
import fc from 'fast-check'
import type { Application, Part, Plugin, Route } from './application.ts'

type Kind =
  | 'schema'
  | 'limit'
  | 'both'
  | 'lineEnd'
  | 'value'
  | 'pad'
  | 'mistake'
  | 'misspell'
  | 'handler'
  | 'shared'
  | 'constant'
  | 'add'
  | 'remove'
  | 'swap'
  | 'line'
  | 'move'
  | 'rename'
  | 'prefix'
  | 'hook'
  | 'option'
  | 'install'
  | 'break'
  | 'register'

/** An edit, with the numbers that say which and how. */
export interface Edit {
  readonly kind: Kind
  readonly a: number
  readonly b: number
  readonly c: number
}

const PARTS: readonly Part[] = ['body', 'querystring', 'response']

/** How schemas of objects are written: as literals, by names of other files, by code that the build has to run. */
const written: readonly ((n: number) => string)[] = [
  (n) => `{ type: 'object', properties: { n: { type: 'integer', maximum: ${n} } } }`,
  (n) =>
    `{ type: 'object', properties: { n: { type: 'integer', maximum: ${n} }, m: { type: 'string' } } }`,
  (n) => `{ type: "object",\n        properties: { n: { type: 'number' , maximum: ${n} } } }`,
  (n) => `{ type: 'object', properties: { n: { type: 'integer', maximum: LIMIT + ${n} } } }`,
  () => `{ type: 'object', properties: { n: { type: 'integer', maximum: all.SIZE } } }`,
  (n) => `{ type: 'object', properties: { n: text(${n}) } }`,
  (n) => `{ type: 'object', properties: { n: list({ type: 'integer', maximum: ${n} }) } }`,
  () => 'item',
  () => `{ ...item, required: [] }`,
  () => `{ type: 'object', properties: { n: own } }`,
  () => `{ type: 'object', properties: { n: { $ref: 'one#' } } }`,
  () =>
    `{ type: 'object', properties: { n: { $ref: 'two#/properties/n' }, d: { $ref: 'data#' } } }`,
  (n) => `{ type: 'object', properties: { ['n' + ${n}]: { type: 'null' }, c: { const: null } } }`,
  (n) => `{ type: 'object', properties: { n: { const: ${n % 2 === 0 ? 'NaN' : 'null'} } } }`,
  () => 'common',
  () => 'looked',
  () => 'written',
  () => 'named',
  () => 'make()',
  () => 'run(make)',
  () => 'both()',
  () => 'run(both)',
  () => 'partly()',
  (n) => `{ ...common, required: [${n % 2 === 0 ? `'n'` : ''}] }`,
  (n) =>
    `{ ...run(() => ({ required: [] })), properties: { n: { type: 'integer', maximum: ${n} } } }`,
  (n) =>
    `{ type: 'object', // ${n}\n        properties: { ${'\n'.repeat(n % 3)}n: { type: 'integer' } } }`,
  (n) =>
    `more ? common : { type: 'object', properties: { n: { type: 'integer', maximum: ${n} } } }`,
  (n) =>
    `{ type: 'object', properties: { "n": { 'type': 'integer', default: -${n} }, /* ${n} */ s: { pattern: '^\\u{6${n % 9}}' } } }`,
]

/** What cannot be known, and what is wrong. */
const mistakes: readonly ((n: number) => string)[] = [
  () => `{ type: 'object', properties: { n: { $ref: 'absent#' } } }`,
  (n) => `{ type: 'object', properties: { n: { type: 'integer', maximum: Date.now() + ${n} } } }`,
]

const handlers: readonly ((n: number) => string)[] = [
  (n) => `const seen = ${n}`,
  (n) => `request.log.info('seen ${n}')`,
  (n) => `if (request.body?.n > ${n}) throw new Error('too many')`,
  (n) => `const inner = { type: 'object', n: [${n}, { a: (() => ${n})() }] }`,
  (n) => `reply.header('x-n', \`${'${'}LIMIT${'}'} ${n}\`) // }`,
  () => `await import('makers')`,
]

const pads: readonly string[] = [' ', '  ', '\n', '\n\n', '/* , } */ ', '// }\n']

const options: readonly string[] = [
  '',
  '{}',
  '{ ajv: { customOptions: { allErrors: true } } }',
  '{ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } }',
  '{ exposeHeadRoutes: false, ignoreTrailingSlash: true }',
]

type Change = (app: Application, edit: Omit<Edit, 'kind'>) => Application

const kinds: Readonly<Record<Kind, Change>> = {
  schema: (app, { a, b, c }) => onRoute(app, a, (route) => withPart(route, b, c)),
  limit: (app, { a, b, c }) =>
    onPlugin(app, a, (plugin) => ({
      ...plugin,
      limits: { ...plugin.limits, [pick(Object.keys(plugin.limits), c)]: b },
    })),
  both: (app, { a, b, c }) =>
    onRoute(app, a, (route) => withPart(withPart(route, b, c), b + 1, c + 1)),
  value: (app, { a, b, c }) => onPart(app, a, b, (part) => part.replace(/\d+(?!\d*#)/, String(c))),
  pad: (app, { a, b, c }) =>
    onPart(app, a, b, (part) =>
      part.replace(/[,{] ?\n*(?=[a-z])/, (found) => found[0] + pick(pads, c)),
    ),
  lineEnd: (app, { a }) =>
    onPlugin(app, a, (plugin) => ({
      ...plugin,
      lineEnd: plugin.lineEnd === '\n' ? '\r\n' : '\n',
    })),
  mistake: (app, { a, b, c }) => ({
    ...onRoute(app, a, (route) => ({
      ...route,
      parts: { ...route.parts, [pick(PARTS, b)]: pick(mistakes, c)(b) },
    })),
    mended: app,
  }),
  misspell: (app, { a }) => ({
    ...app,
    shared: { ...app.shared, [name(app.shared, a)]: -1 },
    mended: app,
  }),
  handler: (app, { a, b, c }) =>
    onRoute(app, a, (route) => ({
      ...route,
      handler: b % 4 === 0 ? [] : [...route.handler.slice(-2), pick(handlers, b)(c)],
    })),
  shared: (app, { a, b }) => ({ ...app, shared: { ...app.shared, [name(app.shared, a)]: b } }),
  constant: (app, { a, b }) => ({
    ...app,
    constants: { ...app.constants, [name(app.constants, a)]: b },
  }),
  add: (app, { a, b, c }) =>
    onPlugin(app, a, (plugin) => ({
      ...plugin,
      routes: [
        ...plugin.routes.slice(0, 4),
        withPart(routeAt(plugin, `/added${b % 9}-${c}`), b, c),
      ],
    })),
  remove: (app, { a }) =>
    onPlugin(app, a, (plugin) => ({ ...plugin, routes: plugin.routes.slice(1) })),
  swap: (app, { a }) =>
    onPlugin(app, a, (plugin) => ({ ...plugin, routes: plugin.routes.toReversed() })),
  line: (app, { a, b, c }) =>
    onPlugin(app, a, (plugin) => ({
      ...plugin,
      head: b % 3 === 0 ? [] : [...plugin.head.slice(-2), b % 2 === 0 ? '' : `// ${c}`],
    })),
  move: (app, { a, b }) =>
    onPlugin(app, a, (plugin, i) => ({
      ...plugin,
      file: `${b % 2 === 0 ? '' : 'routes/'}moved${b % 3}-${i}.js`,
    })),
  rename: (app, { a }) => ({ ...app, alias: a % 2 === 0 ? 'LIMIT' : `limit${a % 3}` }),
  prefix: (app, { a, b }) =>
    onPlugin(app, a, (plugin) => ({ ...plugin, prefix: `/p${a}-${b % 5}` })),
  hook: (app, { a, b }) => onPlugin(app, a, (plugin) => ({ ...plugin, hook: `hook${b % 4}` })),
  option: (app, { a }) => ({ ...app, options: pick(options, a) }),
  install: (app, { a }) => ({ ...app, installed: 1 + (a % 50) }),
  break: (app, { a, b }) => ({
    ...app,
    mended: app,
    broken: {
      file: a,
      text: pick(['\n}', "\nconst '", '\nlet n = (', '\nthrow new Error("no")'], b),
    },
  }),
  register: (app, { a }) => ({
    ...app,
    plugins:
      app.plugins.length > 2
        ? app.plugins.slice(1)
        : [...app.plugins, pluginAt(`extra${a % 3}-${app.plugins.length}.js`, `/x${a}`)],
  }),
}

/** The next edit mends what an earlier one has broken. */
export function edited(app: Application, edit: Edit): Application {
  return kinds[edit.kind](app.mended ?? app, edit)
}

/** Edits of values alone, most of them. */
const OF_VALUES: readonly Kind[] = [
  'value',
  'value',
  'value',
  'pad',
  'limit',
  'both',
  'schema',
  'line',
]

/** Sequences in which few kinds are missing, and what people do most comes twice. */
export const sequence: fc.Arbitrary<readonly Edit[]> = fc
  .oneof(
    fc.shuffledSubarray<Kind>([...(Object.keys(kinds) as Kind[]), 'schema', 'handler'], {
      minLength: 7,
      maxLength: 9,
    }),
    fc.array(fc.constantFrom(...OF_VALUES), { minLength: 7, maxLength: 9 }),
  )
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((kind) =>
        fc.record({ kind: fc.constant(kind), a: fc.nat(200), b: fc.nat(200), c: fc.nat(30) }),
      ),
    ),
  )

export const start: Application = {
  plugins: [pluginAt('first.js', '/first'), pluginAt('routes/second.js', '/second')],
  constants: { LIMIT: 3, SIZE: 40 },
  shared: { one: 10, two: 20 },
  options: '',
  installed: 5,
  broken: undefined,
  alias: 'LIMIT',
}

function pluginAt(file: string, prefix: string): Plugin {
  const plugin: Plugin = {
    file,
    prefix,
    routes: [],
    head: [],
    hook: 'first',
    limits: { common: 1, looked: 2, make: 3, both: 4, partly: 7, written: 5, named: 6 },
    lineEnd: '\n',
  }
  const uses = (path: string, body: string, querystring: string): Route => {
    const route = routeAt(plugin, path)
    return { ...route, parts: { ...route.parts, body, querystring } }
  }
  const routes = [
    routeAt(plugin, '/a'),
    withPart(routeAt(plugin, '/b'), 0, 5),
    uses('/c', 'common', 'looked'),
    uses('/d', 'both()', 'run(both)'),
    uses('/e', 'written', 'named'),
    uses('/f', 'partly()', 'make()'),
  ]
  return { ...plugin, routes }
}

function routeAt(_: Plugin, path: string): Route {
  const [plain, , , , , , , , , , ref] = written
  const parts = { body: plain?.(1), querystring: plain?.(2), response: ref?.(0) } as Route['parts']
  return { path, parts, handler: [] }
}

function withPart(route: Route, b: number, c: number): Route {
  const part = pick(PARTS, b)
  return { ...route, parts: { ...route.parts, [part]: pick(written, b)(c) } }
}

function onPlugin(
  app: Application,
  index: number,
  change: (plugin: Plugin, index: number) => Plugin,
): Application {
  const at = index % Math.max(1, app.plugins.length)
  return { ...app, plugins: app.plugins.map((one, i) => (i === at ? change(one, i) : one)) }
}

function onRoute(app: Application, index: number, change: (route: Route) => Route): Application {
  return onPlugin(app, index, (plugin) => {
    const at = (index >> 2) % Math.max(1, plugin.routes.length)
    const routes = plugin.routes.map((one, i) => (i === at ? change(one) : one))
    return { ...plugin, routes }
  })
}

function onPart(
  app: Application,
  index: number,
  b: number,
  change: (part: string) => string,
): Application {
  return onRoute(app, index, (route) => {
    const part = pick(PARTS, b)
    return { ...route, parts: { ...route.parts, [part]: change(route.parts[part]) } }
  })
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

function name(of: Readonly<Record<string, number>>, index: number): string {
  return pick(Object.keys(of), index)
}
