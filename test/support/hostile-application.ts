/** Source of an application whose names are HTML, which a page has to show as text. */
const hostile = '</script><script>globalThis.harmed=true</script>'
const attribute = '"><img src=x onerror=alert(1)>'

const text = (value: string): string => JSON.stringify(value)

export const hostileApplication: string = `import framework from 'framework'
const app = framework()
const named = { async ${text(`${hostile}<!--`)}(child) {
  child.addSchema({ $id: 'plain', type: 'string', description: ${text(hostile)} })
  child.addSchema({ $id: ${text(attribute)}, type: 'object', properties: { x: { $ref: 'plain#' } } })
  child.get(${text(`/${hostile}`)}, { constraints: { host: ${text(attribute)} }, schema: { querystring: { type: 'object', properties: { x: { $ref: 'plain#' } } } } }, async () => '')
  child.get('/dynamic', { schema: { querystring: JSON.parse(process.env[${text(attribute)}]) } }, async () => '')
} }
app.addHook('onRequest', { async ${text(attribute)}() {} }[${text(attribute)}])
named[${text(`${hostile}<!--`)}][Symbol.for('fastify.display-name')] = ${text(`${hostile}<!--`)}
app.register(named[${text(`${hostile}<!--`)}], { prefix: ${text(`/${attribute}`)} })
await app.ready()
`
