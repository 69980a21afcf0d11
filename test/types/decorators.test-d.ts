import framework, { type FastifyReply, type FastifyRequest } from 'framework'
import { same } from './expect.ts'

interface Database {
  find(id: number): Promise<string | undefined>
}
const transaction = Symbol('transaction')

// Merging reaches what the entry re-exports, and every instance, request and reply has the new members.
declare module 'framework' {
  interface FastifyInstance {
    database: Database
    greet(name: string): string
  }
  interface FastifyRequest {
    tenant: string
    [transaction]: number | null
  }
  interface FastifyReply {
    notModified(): FastifyReply
  }
  interface FastifyContextConfig {
    role?: 'librarian' | 'reader'
  }
  interface FastifySchema {
    summary?: string
  }
  interface RouteShorthandOptions {
    cached?: boolean
  }
}

const app = framework()
declare const database: Database

app.decorate('database', database)
app.decorate('greet', function (name) {
  same<Database>()(this.database)
  return `hello ${name}`
})
app.decorateRequest('tenant', '')
app.decorateRequest('tenant', {
  getter() {
    same<string>()(this.url)
    return this.hostname
  },
})
app.decorateReply('notModified', function () {
  return this.code(304).send()
})
// @ts-expect-error not a database
app.decorate('database', { find: 1 })
// @ts-expect-error a string
app.decorateRequest('tenant', 1)

// A value that nothing is declared about, a placeholder, a symbol, dependencies, an explicit type.
app.decorate('anything', { a: 1 }, ['database'])
app.decorateRequest('tenant', null)
app.decorateRequest(transaction, null)
app.decorateReply('later')
app.decorate<(a: number) => number>('twice', (a) => a * 2)
// @ts-expect-error the type was given
app.decorate<(a: number) => number>('twice', (a: string) => a)
same<boolean>()(app.hasDecorator('database') && app.hasRequestDecorator(transaction))
same<boolean>()(app.hasReplyDecorator('notModified'))

app.get(
  '/',
  { config: { role: 'reader' }, schema: { summary: 'Greets' }, cached: true },
  async function (request, reply) {
    same<string | undefined>()(await this.database.find(1))
    same<string | undefined>()(await request.server.database.find(1))
    same<string>()(request.tenant)
    same<number | null>()(request[transaction])
    same<'librarian' | 'reader' | undefined>()(request.routeOptions.config.role)
    return reply.notModified()
  },
)
// @ts-expect-error no such role
app.get('/', { config: { role: 'owner' } }, () => {})

app.register(async (child) => {
  same<Database>()(child.database)
  child.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.tenant === '') reply.notModified()
  })
})
