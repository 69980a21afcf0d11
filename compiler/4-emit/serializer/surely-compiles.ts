import { createRequire } from 'node:module'
import type { Ajv } from 'ajv'
import { normalizeId, resolveUrl } from 'ajv/dist/compile/resolve.js'
import type { SchemaEnv } from 'ajv/dist/compile/index.js'
import { unescapeFragment } from 'ajv/dist/compile/util.js'
import { schemaTables } from '../../../runtime/artifact/annotations.ts'
import { isSchema } from './assert-schema.ts'

type Json = Readonly<Record<string, unknown>>

const { properties } = createRequire(import.meta.url)(
  'ajv/dist/refs/json-schema-draft-07.json',
) as { properties: object }

/**
 * Whether Ajv compiles a schema without an error, which is why it need not be asked to. It may say no of what compiles.
 *
 * What the schema of schemas leaves open is looked for in all that the schema refers to.
 */
export function surelyCompiles(ajv: Ajv, root: SchemaEnv): boolean {
  const seen = new Set<unknown>()
  return isFineDocument(root)

  function isFineDocument(env: SchemaEnv): boolean {
    return seen.has(env.schema) || (isSchema(env.schema) && isFine(env.schema, env))
  }

  function isFine(schema: unknown, env: SchemaEnv): boolean {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return true
    seen.add(schema)
    if (Array.isArray(schema)) return schema.every((one) => isFine(one, env))
    return Object.entries(schema).every(([key, member]) => isFineMember(schema, key, member, env))
  }

  function isFineMember(of: object, key: string, member: unknown, env: SchemaEnv): boolean {
    switch (key) {
      case '$id':
        return of === env.schema
      case '$ref':
        return isFineReference(member as string, env)
      case 'pattern':
        return isPattern(member as string)
      case 'patternProperties':
        if (!Object.keys(member as object).every(isPattern)) return false
    }
    if (!PLAIN.has(key) && (SPECIAL.has(key) || Object.hasOwn(ajv.RULES.all, key))) return false
    if (DATA.has(key)) return true
    if (!schemaTables.has(key)) return isFine(member, env)
    return Object.values(member ?? {}).every((one) => isFine(one, env))
  }

  function isFineReference(reference: string, { baseId }: SchemaEnv): boolean {
    // Wherever this stands, Ajv counts on the schema around being compiled.
    if (ROOT.test(reference)) return false
    const [id = '', pointer = ''] = resolveUrl(ajv.opts.uriResolver, baseId, reference).split('#')
    const name = normalizeId(id)
    const env = ajv.refs[name] ?? ajv.schemas[name]
    if (typeof env !== 'object' || typeof env.schema !== 'object') return false
    if (pointer === '') return isFineDocument(env)
    const target = pointer.startsWith('/') ? targetOf(env.schema, pointer) : undefined
    return target !== undefined && isSchema(target) && isFine(target, env)
  }
}

const ROOT = /^#\/?$/

function targetOf(schema: unknown, pointer: string): unknown {
  let target = schema
  for (const part of pointer.slice(1).split('/')) {
    const key = unescapeFragment(part)
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key))
      return undefined
    target = (target as Json)[key]
  }
  return target
}

/** Ajv wants more of patterns than the schema of schemas. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Keywords that the schema of schemas describes, and our own. */
const PLAIN: ReadonlySet<string> = new Set([...Object.keys(properties), 'fjs_type'])

/** What means something to Ajv without being a keyword. */
const SPECIAL: ReadonlySet<string> = new Set(['$anchor', '$async', '$dynamicAnchor'])

/** Members whose values are data, whatever they look like. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])
