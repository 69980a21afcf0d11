/** Keywords of JSON Schema by the kind of their value. */

/** Keywords whose value is a schema or a list of schemas. */
export const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** Keywords that map names chosen by the user to schemas. A name that looks like a keyword isn't one there. */
export const schemaTables: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** Keywords that map names of properties to schemas, or to lists of such names. */
export const propertyTables: ReadonlySet<string> = new Set([
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'properties',
])
