export const book = {
  $id: 'book',
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', minLength: 1 }, stock: { type: 'integer' } },
}
