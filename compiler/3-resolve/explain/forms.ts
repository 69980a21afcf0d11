/** Parts of routes that mean something else on Fastify 4 than on Fastify 5. */
import { isMembers } from './documents.ts'
import type { Members } from './documents.ts'

/** What to do where the short form was not meant; `undefined` for what is no short form. */
export function formHint(part: unknown): string | undefined {
  if (!isShortForm(part)) return undefined
  if (isByMediaType(part)) {
    return 'A body has one schema for all media types, unlike in Fastify 5: put that schema in the place of `content`.'
  }
  const misread = Object.entries(part).find(isKeyword)
  if (misread === undefined) return undefined
  const form = 'Without `type` and `properties` a schema is read as the properties of an object'
  return `${form}, and so "${misread[0]}" as one of them, unlike in Fastify 5. Add \`type\`.`
}

/** Whether Fastify 4 takes the members of a schema for properties. */
function isShortForm(part: unknown): part is Members {
  return isMembers(part) && !complete.some((key) => Boolean(part[key]))
}

const complete = ['type', 'properties', '$ref', 'oneOf', 'allOf', 'anyOf', '$merge', '$patch']

/** Whether the schema holds others by media type, which Fastify 4 knows for responses only. */
function isByMediaType({ content }: Members): boolean {
  if (!isMembers(content)) return false
  const types = Object.entries(content)
  return (
    types.length > 0 &&
    types.every(([type, one]) => type.includes('/') && isMembers(one) && 'schema' in one)
  )
}

/** Whether a member of a schema can be no property, but is what the keyword of that name takes. */
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
