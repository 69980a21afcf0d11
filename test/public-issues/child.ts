/** Runs issues on one framework: `child.js <engine> <artifacts>`, where artifacts are the files of each issue as JSON. */
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { loadIssues, type PublicIssue } from './issue.ts'

type Factory = (options?: object) => FastifyInstance

const [engine = '', artifacts = '[]'] = process.argv.slice(2)
const files = JSON.parse(artifacts) as unknown[]
const issues = await loadIssues()
const { default: factory } = (await import(engine)) as { default: Factory }

process.on('message', (index: number) => void run(issues[index]!, files[index]))
process.send?.('ready')

/** Sends the observation, line by line, and at last `null`. */
async function run(issue: PublicIssue, file: unknown): Promise<void> {
  const { options, app: declare, headers = [], ask } = issue
  const apps: FastifyInstance[] = []
  const note = (line: unknown): void =>
    void process.send?.(typeof line === 'string' ? line : (JSON.stringify(line) ?? 'undefined'))
  try {
    const aot = typeof file === 'string' && {
      artifact: ((await import(pathToFileURL(file).href)) as { default: unknown }).default,
    }
    const create = (given?: object): FastifyInstance => {
      const app = factory({ ...given, ...(aot && { aot }) })
      apps.push(app)
      return app
    }
    const app = create(options?.())
    await declare?.(app)
    const send = async (request: string | InjectOptions): Promise<void> => {
      const { statusCode, headers: all, body } = await app.inject(request)
      const shown = headers.map((name) => `${name}: ${String(all[name])}`)
      note([statusCode, ...shown, body].join(' | ').replace(/ \| $/, ''))
    }
    const exchange = async (...lines: readonly string[]): Promise<string> => {
      if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      socket.end([...lines, '', ''].join('\r\n'))
      return text(socket)
    }
    if (typeof ask === 'function') await ask({ app, note, ask: send, exchange, create })
    else for (const request of ask) await send(request)
  } catch (error) {
    const { code, message } = (error ?? {}) as Partial<Error & { code: string }>
    note(`throws ${code ?? ''} ${message}`.replace('  ', ' '))
  }
  await Promise.all(apps.map((app) => app.close()))
  process.send?.(null)
}
