/**
 * `packaging/draft-07.js` makes it: what Ajv compiles to check a schema of draft-07 by.
 *
 * @returns whether it is one; Ajv itself says what is wrong
 */
export function isDraft07(schema: unknown): boolean
