/** Applications in which the order of the boot decides: what random ones have shown, as small as it gets. */
import type { RandomApplication } from './index.ts'

const app = (...lines: string[]): RandomApplication => ({
  kind: 'factory',
  files: {
    'app.ts': [
      "import framework from 'framework'",
      "import plugin from 'framework/plugin'",
      "const item = { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } }",
      'const own = () => (data: any) => ({ value: { own: data } })',
      'const echo = async (request: any) => ({ name: request.body, count: request.query })',
      'export default async function createApp() {',
      'const app: any = framework()',
      ...lines,
      'return app',
      '}',
    ].join('\n'),
  },
})

export const regressions: Readonly<Record<string, RandomApplication>> = {
  'a compiler that is set after a child context was created does not reach it': app(
    "await app.register(async (child: any) => child.post('/before', { schema: { body: item } }, echo))",
    'app.setValidatorCompiler(own)',
    "app.register(async (child: any) => child.post('/after', { schema: { body: item } }, echo))",
  ),
  'a context that is given schemas from outside compiles by default again': app(
    'app.setValidatorCompiler(own)',
    'app.register(async (child: any) => {',
    "child.post('/r1', { schema: { body: item } }, echo)",
    "app.addSchema({ $id: 'late', type: 'string' })",
    '})',
    "app.register(async (child: any) => child.post('/r2', { schema: { body: item } }, echo))",
  ),
  'a factory of compilers is asked, whatever schemas are added': app(
    'app.register(async (child: any) => {',
    'child.setSchemaController({ compilersFactory: { buildValidator: () => own } })',
    "child.addSchema({ $id: 'here', type: 'string' })",
    "child.post('/r1', { schema: { body: item } }, echo)",
    '})',
  ),
  'hooks give a HEAD route another schema than its GET route': app(
    "app.addHook('onRoute', (route: any) => {",
    "if (route.method === 'GET') route.schema = { ...route.schema, querystring: item }",
    '})',
    "app.get('/r1', { schema: { response: { 200: item } } }, echo)",
    "app.register(async (child: any) => child.get('/', echo), { prefix: '/p' })",
  ),
  'hooks count HEAD routes': app(
    'let count = 0',
    "app.addHook('onRoute', (route: any) => {",
    'route.schema = { ...route.schema, querystring: { ...item, minProperties: count++ } }',
    '})',
    "app.get('/r1', echo)",
    "app.head('/r2', echo)",
    "app.get('/r2', echo)",
    "app.get('/r3', { exposeHeadRoute: false }, echo)",
    "app.get('/r4', echo)",
  ),
  'hooks are shown the first path of a slash': app(
    "app.addHook('onRoute', (route: any) => {",
    'const { url, routePath, prefix, method } = route',
    'route.schema = { ...route.schema, description: [url, routePath, prefix, method].join() }',
    '})',
    "app.register(async (child: any) => child.get('/', echo).post('/r1', echo), { prefix: '/p/' })",
    "app.register(async (child: any) => child.post('/', echo), { prefix: '/q' })",
  ),
  'an onRegister hook waits for the plugins before it': app(
    "app.register(async (child: any) => child.register(async (inner: any) => inner.get('/r1', echo)))",
    "app.addHook('onRegister', (instance: any) => instance.addSchema({ $id: 'opened', ...item }))",
    "app.register(async (child: any) => child.post('/r2', { schema: { body: { $ref: 'opened#' } } }, echo))",
  ),
  'what is registered in after is loaded before what waits': app(
    "app.after(() => app.register(async (child: any) => child.get('/r1', echo), { prefix: '/first' }))",
    "app.register(async (child: any) => child.get('/r2', echo), { prefix: '/second' })",
  ),
  'an error formatter that is set later does not reach a route': app(
    'app.register(async (child: any) => {',
    "child.after(() => child.post('/r1', { schema: { body: item } }, echo))",
    'child.register(plugin(async (same: any) => same.setSchemaErrorFormatter(() => new Error("own"))))',
    '})',
  ),
}
