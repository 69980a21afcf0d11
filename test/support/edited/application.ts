/** An application of several files that somebody edits: what it declares as data, and its text. */

export interface Route {
  readonly path: string
  /** How each of its parts is written. */
  readonly parts: Readonly<Record<Part, string>>
  /** Statements of the handler. */
  readonly handler: readonly string[]
}

export type Part = 'body' | 'querystring' | 'response'

export interface Plugin {
  /** Relative to the application. */
  readonly file: string
  readonly prefix: string
  readonly routes: readonly Route[]
  /** Lines before its first statement. */
  readonly head: readonly string[]
  readonly hook: string
  /** What stands in the schemas that several routes may use. */
  readonly limits: Limits
  readonly lineEnd: '\n' | '\r\n'
}

export interface Application {
  readonly plugins: readonly Plugin[]
  /** `constants.js`. */
  readonly constants: Readonly<Record<string, number>>
  /** The limit of each shared schema, by its `$id`; one below zero is misspelt. */
  readonly shared: Readonly<Record<string, number>>
  /** Factory options, as they are written. */
  readonly options: string
  /** What the package `makers` adds to what it is given. */
  readonly installed: number
  /** A file and what is wrong with its text. */
  readonly broken: { readonly file: number; readonly text: string } | undefined
  /** Without what the last edit has broken; `undefined` when it has broken nothing. */
  readonly mended?: Application
  /** What `app.js` calls the constants. */
  readonly alias: string
}

/** Schemas that plugins declare, each with a number in it. */
export type Limits = Readonly<
  Record<'common' | 'looked' | 'make' | 'both' | 'partly' | 'written' | 'named', number>
>

/** Everything that a schema in the text of a plugin may refer to. */
const HEAD = `import { LIMIT, SIZE } from '%/constants.js'
import * as all from '%/constants.js'
import { text, list, run } from 'makers'
import { item } from '%/schemas.ts'
`

/** What the application consists of, by paths. */
export function filesOf(app: Application): ReadonlyMap<string, string> {
  const plugins = app.plugins.map((plugin): [string, string] => [plugin.file, textOf(plugin)])
  const files: [string, string][] = [
    ['package.json', '{ "private": true, "type": "module" }'],
    ['app.js', entryOf(app)],
    ['constants.js', constantsOf(app)],
    ['schemas.ts', schemasOf()],
    ['data.json', JSON.stringify({ $id: 'data', type: 'string', maxLength: app.installed })],
    ...plugins,
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
    ['node_modules/makers/more.js', `export const more = ${app.installed}\n`],
  ]
  const { broken } = app
  if (broken !== undefined) {
    const [file] = files[1 + (broken.file % (files.length - 4))] as [string, string]
    return new Map(files.map(([name, text]) => [name, name === file ? text + broken.text : text]))
  }
  return new Map(files)
}

function entryOf({ plugins, shared, options, alias }: Application): string {
  const imports = plugins.map(({ file }, i) => `import plugin${i} from './${file}'`)
  const schemas = Object.entries(shared).map(
    ([id, limit]) =>
      `  app.addSchema({ $id: '${id}', type: 'object', properties: { n: { type: '${limit < 0 ? 'intger' : 'integer'}', maximum: ${limit} }, deep: { type: 'string', maxLength: ${alias} } } })`,
  )
  const registered = plugins.map(
    ({ prefix }, i) => `  app.register(plugin${i}, { prefix: '${prefix}' })`,
  )
  return `import framework from 'framework'
import { readFileSync } from 'node:fs'
import { LIMIT as ${alias} } from './constants.js'
${imports.join('\n')}
export default function build() {
  const app = framework(${options})
${schemas.join('\n')}
  app.addSchema(JSON.parse(readFileSync(new URL('./data.json', import.meta.url), 'utf8')))
${registered.join('\n')}
  return app
}
`
}

function constantsOf({ constants }: Application): string {
  return Object.entries(constants)
    .map(([name, value]) => `export const ${name} = ${value}\n`)
    .join('')
}

function schemasOf(): string {
  return `import { SIZE } from './constants.js'
export interface Item { name: string }
export const item = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: SIZE } } } as const
`
}

/** Schemas that several routes may use, and code that depends on what stands in some. */
function sharedIn({ common, looked, make, both, partly, written, named }: Limits): string {
  return `const own = { type: 'string', minLength: LIMIT }
const common = { type: 'object', properties: { n: { type: 'integer', maximum: ${common} } } }
const looked = { type: 'object', properties: { n: { type: 'integer', maximum: ${looked} }, m: { const: 1 } } }
const more = looked.properties.n.maximum > 100
const make = () => ({ type: 'object', properties: { n: { type: 'integer', minimum: ${make} } } })
const both = () => ({ type: 'object', properties: { n: { type: 'integer', minimum: ${both} } } })
const partly = () => ({ type: 'object', properties: { n: { type: 'integer', maximum: ${partly} } } })
const names = Object.keys(partly())
const written = { type: 'object', properties: { n: { type: 'integer', minimum: ${written} } } }
written.properties.n.maximum = written.properties.n.minimum + 1
const named = {
  type: 'object',
  properties: {
    ${named % 2 === 0 ? 'item' : 'other'}: { type: 'integer' }, // ${'long '.repeat(named % 3)}
    ${named % 3 === 0 ? '\n' : ''}'${named % 5 === 0 ? 'item' : 'text'}': { type: 'string', ${named % 7 === 0 ? `['b' + 1]: 1, ` : ''}maxLength: 5 + ${named} },
  },
}
`
}

function textOf(plugin: Plugin): string {
  return textWith(plugin).replaceAll('\n', plugin.lineEnd)
}

function textWith({ file, routes, head, hook, limits }: Plugin): string {
  const up = file.includes('/') ? '..' : '.'
  const declared = routes.map(({ path, parts: { body, querystring, response }, handler }) => {
    const lines = handler.map((line) => `    ${line}\n`).join('')
    return `  app.post('${path}', {
    schema: {
      body: ${body},
      querystring: ${querystring},
      response: { 200: ${response} },
    },
  }, async function handle(request, reply) {
${lines}    return { n: 1 }
  })
`
  })
  return `${HEAD.replaceAll('%', up)}${head.map((line) => `${line}\n`).join('')}${sharedIn(limits)}export default async function plugin(app) {
  if (more) app.get('/more', { schema: { response: { 200: looked } } }, async () => ({ n: 1 }))
  app.addHook('onRequest', async function ${hook}() {})
${declared.join('')}}
`
}
