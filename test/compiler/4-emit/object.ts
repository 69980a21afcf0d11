/** Returns the schema of an object. */
export const object = (properties: object, rest: object = {}): object => ({
  type: 'object',
  properties,
  ...rest,
})
