/** The schemas of those that declare them by functions of TypeBox, each of its own version. */
export function createSchemas(Type) {
  const note = {
    title: Type.String({ minLength: 1, maxLength: 100 }),
    priority: Type.Optional(Type.Integer()),
    done: Type.Optional(Type.Boolean()),
  }
  const customer = {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    email: Type.String({ format: 'email' }),
  }
  const item = {
    sku: Type.String({ pattern: '^[A-Z]{2}-[0-9]{4}$' }),
    quantity: Type.Integer({ minimum: 1 }),
    price: Type.Number({ minimum: 0 }),
  }
  const order = {
    customer: Type.Object(customer),
    items: Type.Array(Type.Object(item), { minItems: 1 }),
    express: Type.Optional(Type.Boolean()),
    note: Type.Optional(Type.String()),
  }
  return { note, order: Type.Object(order) }
}
