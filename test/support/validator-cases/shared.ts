/** A shared schema that cases refer to. */
export const shared: Record<string, unknown> = {
  $id: 'shared',
  type: 'object',
  properties: { p: { type: 'number', maximum: 5 } },
}
