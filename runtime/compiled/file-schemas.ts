/**
 * Imitates `ajvFilePlugin` of @fastify/multipart, which changes schemas while Ajv compiles them: `isFile`
 * becomes what @fastify/swagger shows for a file. Nothing is compiled here, so the schemas are changed when
 * they are looked up.
 */
import { schemaKeywords, schemaTables } from '../artifact/keywords.ts'

/** @param plugins the factory option `ajv.plugins` */
export function usesFilePlugin(plugins: readonly unknown[] = []): boolean {
  return plugins.some((entry) => {
    const plugin = (Array.isArray(entry) ? entry[0] : entry) as { name?: unknown } | undefined
    return plugin?.name === 'ajvFilePlugin'
  })
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
