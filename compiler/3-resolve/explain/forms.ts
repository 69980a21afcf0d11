/** Hints for schemas that Fastify 4 reads as a short form, unlike Fastify 5. */
import { isMembers, type Members } from '../../util/json.ts'

/**
 * Returns a hint for a schema without any keyword of a full schema: it was probably meant as one, or, for Fastify 5, as a short form.
 * `undefined` if that isn't likely.
 */
export function formHint(part: unknown, hasShortForms: boolean): string | undefined {
  if (!isShortForm(part)) return undefined
  if (!hasShortForms) {
    if (isByMediaType(part) || !Object.values(part).every(isMembers)) return undefined
    return "Fastify 5 has no short forms: write `type: 'object'`, with these members in `properties`."
  }
  if (isByMediaType(part)) {
    return 'A body has one schema for all media types, unlike in Fastify 5: put that schema in the place of `content`.'
  }
  const misread = Object.entries(part).find(isKeyword)
  if (misread === undefined) return undefined
  const form = 'Without `type` and `properties` a schema is read as the properties of an object'
  return `${form}, and so "${misread[0]}" as one of them, unlike in Fastify 5. Add \`type\`.`
}

/** Returns whether Fastify 4 reads the members of a schema as properties. */
function isShortForm(part: unknown): part is Members {
  return isMembers(part) && !fullForm.some((key) => Boolean(part[key]))
}

/** A schema with one of these keywords isn't a short form. */
const fullForm = ['type', 'properties', '$ref', 'oneOf', 'allOf', 'anyOf', '$merge', '$patch']

/** Returns whether the schema contains one schema per media type, which Fastify 4 supports in responses only. */
function isByMediaType({ content }: Members): boolean {
  if (!isMembers(content)) return false
  const types = Object.entries(content)
  return (
    types.length > 0 &&
    types.every(([type, one]) => type.includes('/') && isMembers(one) && 'schema' in one)
  )
}

/** Returns whether a member is taken for the keyword of its name instead of a property: its value makes sense for it, and has no `type`. */
function isKeyword([key, value]: [string, unknown]): boolean {
  switch (key) {
    case 'required':
    case 'enum':
      return Array.isArray(value)
    case 'description':
    case 'title':
    case '$id':
    case '$schema':
      return typeof value === 'string'
    case 'content':
    case 'patternProperties':
      return typeof value === 'object' && value !== null && !('type' in value)
    default:
      return false
  }
}
