import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * Writes an application of TypeScript files with three routes each, in the styles that applications are written in: literals,
 * constants of other files with spreads and computed keys, TypeBox, fluent-json-schema. Returns its entry.
 */
export function writeApplication(folder: string, files: number): string {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'routes'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  write('package.json', '{ "type": "module", "private": true }\n')
  write('shared.ts', shared)
  const names = Array.from({ length: files }, (_, index) => `area${index}`)
  for (const [index, name] of names.entries()) {
    const style = styles[index % styles.length] as (name: string) => string
    write(`routes/${name}.ts`, style(name))
  }
  const imports = names.map((name) => `import ${name} from './routes/${name}.js'`)
  const registers = names.map((name) => `  app.register(${name}, { prefix: '/${name}' })`)
  write(
    'app.ts',
    `import framework from 'framework'
import { book } from './shared.js'
${imports.join('\n')}

export default async function build() {
  const app = framework()
  app.addSchema(book)
${registers.join('\n')}
  return app
}
`,
  )
  return join(folder, 'app.ts')
}

const shared = `export enum Status { OK = 200, Missing = 404 }
export const book = { $id: 'book', type: 'object', properties: { title: { type: 'string' } } } as const
export const errors = {
  400: { type: 'object', properties: { message: { type: 'string' } } },
  [Status.Missing]: { type: 'object', properties: { message: { type: 'string' } } },
} as const
export const page = (max: number) => ({ limit: { type: 'integer', maximum: max }, after: { type: 'string' } })
`

const styles: readonly ((name: string) => string)[] = [literal, constants, typebox, fluent]

function literal(name: string): string {
  return `import type { FastifyInstance } from 'framework'

export default async function ${name}(app: FastifyInstance) {
  app.get('/', { schema: { querystring: { q: { type: 'string' }, ${name}: { type: 'integer' } } } }, async () => [])
  app.post('/', { schema: { body: { type: 'object', required: ['title'], properties: { title: { type: 'string', minLength: 1 }, ${name}: { type: 'boolean' } } } } }, async () => 'ok')
  app.get('/:id', { schema: { params: { id: { type: 'integer' } }, response: { 200: { $ref: 'book#' } } } }, async () => ({ title: '' }))
}
`
}

function constants(name: string): string {
  return `import type { FastifyInstance, RouteShorthandOptions } from 'framework'
import { errors, page, Status } from '../shared.js'

const item = { type: 'object', properties: { ${name}: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } } } as const
const list: RouteShorthandOptions = {
  schema: { querystring: { type: 'object', properties: { ...page(50) } }, response: { [Status.OK]: { type: 'array', items: item }, ...errors } },
}
const methods = ['PUT', 'PATCH'] as const

export default async function ${name}(app: FastifyInstance) {
  app.get('/', list, async () => [])
  for (const method of methods) {
    app.route({ method, url: \`/\${method.toLowerCase()}\`, schema: { body: item, response: { ...errors } }, handler: async () => ({}) })
  }
}
`
}

function typebox(name: string): string {
  return `import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'framework'

const Item = Type.Object({ ${name}: Type.String({ minLength: 1 }), count: Type.Optional(Type.Integer()) })
const Query = Type.Partial(Type.Pick(Item, ['${name}']))

export default async function ${name}(app: FastifyInstance) {
  app.get('/', { schema: { querystring: Query, response: { 200: Type.Array(Item) } } }, async () => [])
  app.post('/', { schema: { body: Item, response: { 201: Item } } }, async () => ({ ${name}: 'x' }))
  app.delete('/:id', { schema: { params: Type.Object({ id: Type.Integer() }) } }, async () => 'ok')
}
`
}

function fluent(name: string): string {
  return `import S from 'fluent-json-schema'
import type { FastifyInstance } from 'framework'

const item = S.object().prop('${name}', S.string().required()).prop('price', S.number().minimum(0))

export default async function ${name}(app: FastifyInstance) {
  app.get('/', { schema: { querystring: S.object().prop('${name}', S.integer()) } }, async () => [])
  app.post('/', { schema: { body: item } }, async () => 'ok')
  app.put('/:id', { schema: { params: S.object().prop('id', S.integer()), body: item.prop('version', S.integer()) } }, async () => 'ok')
}
`
}
