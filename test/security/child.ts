/**
 * Runs cases on one framework, in a process of its own: `child.js <package> <module> [artifacts]`. The module exports the cases as
 * `reproductions`. The artifacts are the file of each case, as JSON; without them our schemas are compiled in process. The parent sends the
 * numbers of cases.
 */
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Reproduction, Target } from './reproduction.ts'

type Factory = (options?: object) => FastifyInstance

const [name = '', file = '', artifacts] = process.argv.slice(2)
const files = artifacts === undefined ? undefined : (JSON.parse(artifacts) as string[])
if (name.startsWith('framework') && files === undefined) await import('framework/development')
const { default: factory } = (await import(name)) as { default: Factory }
const { reproductions } = (await import(file)) as { reproductions: readonly Reproduction[] }

process.on('message', (index: number) => void attack(reproductions[index]!, files?.[index]))
process.send?.('ready')

/** Sends the observation line by line, then `null`. */
async function attack(reproduction: Reproduction, file: string | undefined): Promise<void> {
  const apps: FastifyInstance[] = []
  const { default: artifact } =
    file === undefined ? {} : ((await import(pathToFileURL(file).href)) as { default: object })
  const note = (line: unknown): void =>
    void process.send?.(typeof line === 'string' ? line : (JSON.stringify(line) ?? 'undefined'))
  const target: Target = {
    get app() {
      return target.create()
    },
    create(options) {
      // Fastify writes into them.
      const app = factory({ ...options, ...(artifact && { aot: { artifact } }) })
      apps.push(app)
      return app
    },
    note,
    async ask(app, request) {
      const { statusCode, body } = await app.inject(request)
      note(`${statusCode} ${body}`.trim())
    },
    async exchange(app, ...lines) {
      if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      socket.end([...lines, '', ''].join('\r\n'))
      return text(socket)
    },
  }
  try {
    await reproduction.attack(target)
  } catch (error) {
    const { code, message } = (error ?? {}) as Partial<Error & { code: string }>
    note(`throws ${code ?? ''} ${message}`.replace('  ', ' '))
  }
  await Promise.all(apps.map((app) => app.close()))
  process.send?.(null)
}
