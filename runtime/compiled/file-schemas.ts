/**
 * Imitates `ajvFilePlugin` of @fastify/multipart, which changes schemas while Ajv compiles them: `isFile`
 * becomes what @fastify/swagger shows for a file. Nothing is compiled here, so the schemas are changed when
 * they are looked up.
 */
import { schemaKeywords, schemaTables } from '../artifact/keywords.ts'
import type { DefaultCompiler } from './index.ts'

type Find = NonNullable<DefaultCompiler['find']>

/** @param plugins the factory option `ajv.plugins` */
export function usesFilePlugin(plugins: readonly unknown[] = []): boolean {
  return plugins.some((entry) => {
    const plugin = (Array.isArray(entry) ? entry[0] : entry) as { name?: unknown } | undefined
    return plugin?.name === 'ajvFilePlugin'
  })
}

/** Wraps a compiler to change schemas as the plugin does. */
export function describingFiles(compiler: DefaultCompiler): DefaultCompiler {
  const { find } = compiler
  const compile: DefaultCompiler = (target) => {
    const compiled = compiler(target)
    describeFiles(target.schema)
    return compiled
  }
  if (find === undefined) return Object.assign(compile, { units: null })
  const findFirst: Find = (target, place) => {
    const found = find(target, place)
    describeFiles(target.schema)
    return found
  }
  return Object.assign(compile, { find: findFirst, units: null })
}

/** Changes `schema` in place. */
export function describeFiles(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(describeFiles)
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return
  const keywords = schema as Record<string, unknown>
  for (const name of schemaTables) Object.values(keywords[name] ?? {}).forEach(describeFiles)
  for (const name of schemaKeywords) describeFiles(keywords[name])
  if (!Object.hasOwn(keywords, 'isFile')) return
  keywords['type'] = 'string'
  keywords['format'] = 'binary'
  delete keywords['isFile']
}
