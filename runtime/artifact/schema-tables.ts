/** Keywords that hold schemas under names of the user's: a name there is no keyword, whatever it says. */
export const schemaTables: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])
