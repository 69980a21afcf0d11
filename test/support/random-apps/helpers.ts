/** Functions with which applications create schemas. */
import type { SourceFile } from './source-file.ts'
import type { Writer } from './writer.ts'

const sources: Readonly<Record<string, string>> = {
  refTo: 'export const refTo = (id: string) => ({ $ref: id })',
  listOf: "export function listOf(items: object) {\n  return { type: 'array', items }\n}",
  objectOf: [
    'export function objectOf(properties: Record<string, object>, required: string[] = []) {',
    "  const made: Record<string, unknown> = { type: 'object' }",
    '  made.properties = properties',
    '  if (required.length > 0) made.required = required',
    '  return made',
    '}',
  ].join('\n'),
  strict:
    'export const strict = <T extends object>(schema: T) => ({ ...schema, additionalProperties: false })',
  withId: 'export const withId = ($id: string, schema: object) => ({ $id, ...schema })',
  without: [
    'export const without = (schema: any, ...keys: string[]) => ({',
    '  ...schema,',
    '  properties: Object.fromEntries(Object.entries(schema.properties).filter(([key]) => !keys.includes(key))),',
    '})',
  ].join('\n'),
  describe:
    'export const describe = (operationId: string, schema: object) => ({ ...schema, operationId })',
  merge: [
    'export function merge(...schemas: any[]) {',
    '  return schemas.reduce((all, one) => ({ ...all, ...one, properties: { ...all.properties, ...one.properties } }), {})',
    '}',
  ].join('\n'),
  Builder: [
    'export class Builder {',
    '  #properties: Record<string, object> = {}',
    '  with(name: string, schema: object) {',
    '    this.#properties[name] = schema',
    '    return this',
    '  }',
    "  build() {\n    return { type: 'object', properties: { ...this.#properties } }\n  }",
    '}',
  ].join('\n'),
}

/** The name under which `file` imports the helper, which has a file of its own. */
export function helper(w: Writer, file: SourceFile, name: string): string {
  const home = w.file('lib/schemas.ts')
  home.declareOnce(sources[name] as string)
  return file.use(home, name)
}
