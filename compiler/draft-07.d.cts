/**
 * Checks a schema against the meta-schema of draft-07. `packaging/draft-07.js` generates the module with Ajv.
 *
 * @returns false for an invalid schema; Ajv itself finds the reason
 */
export function isDraft07(schema: unknown): boolean
