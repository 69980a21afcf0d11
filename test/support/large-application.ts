/** Source of an application with many CRUD routes: areas have contexts, schemas of their own, and common ones. */
export function largeApplication(routes: number): string {
  const areas = ['sales', 'office', 'platform', 'partners']
  const perContext = 6
  const count = Math.ceil(routes / perContext / areas.length)
  const lines = areas.flatMap((area) => {
    const inside = Array.from({ length: count }, (_, i) => contextOf(`${area}${i}`, area, i))
    return [
      `app.register(async function ${area}(area) {`,
      `  area.addSchema({ $id: '${area}-meta', type: 'object', properties: { by: { type: 'string' }, price: { $ref: 'money#' } } })`,
      `  area.addHook('preHandler', async function ${area}Only() {})`,
      ...inside,
      `}, { prefix: '/${area}' })`,
    ]
  })
  return `import framework from 'framework'
const app = framework()
app.addHook('onRequest', async function authenticate() {})
app.addSchema({ $id: 'money', type: 'object', properties: { amount: { type: 'integer' }, currency: { type: 'string', maxLength: 3 } } })
app.addSchema({ $id: 'page', type: 'object', properties: { limit: { type: 'integer', maximum: 100 } } })
${lines.join('\n')}
await app.ready()
`
}

function contextOf(name: string, area: string, i: number): string {
  return `  area.register(async function ${name}(one) {
    one.addSchema({ $id: '${name}', type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: ${i + 1} }, meta: { $ref: '${area}-meta#' } } })
    const body = { $ref: '${name}#' }, params = { id: { type: 'integer' } }
    one.get('/', { prefixTrailingSlash: 'no-slash', schema: { querystring: { $ref: 'page#' }, response: { 200: { type: 'array', items: body } } } }, async () => [])
    one.post('/', { prefixTrailingSlash: 'no-slash', schema: { body, response: { 201: body } } }, async () => ({}))
    one.get('/:id', { schema: { params, response: { 200: body } } }, async () => ({}))
    one.put('/:id', { schema: { params, body } }, async () => ({}))
    one.patch('/:id', { schema: { params, body: JSON.parse(process.env.PATCH) } }, async () => ({}))
    one.delete('/:id', { schema: { params } }, async () => {})
  }, { prefix: '/${name}' })`
}
