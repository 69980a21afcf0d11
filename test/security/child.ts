/** Attacks one framework, in a process of its own: `child.js <package>`. It is sent numbers of reproductions. */
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { reproductions } from './reproductions/index.ts'
import type { Reproduction, Target } from './reproduction.ts'

type Factory = (options?: object) => FastifyInstance

const factory = await load(process.argv[2] as string)

process.on('message', (index: number) => void attack(reproductions[index]!))
process.send?.('ready')

async function load(name: string): Promise<Factory> {
  // Our schemas are compiled in process.
  if (name.startsWith('framework')) await import('framework/development')
  return ((await import(name)) as { default: Factory }).default
}

/** Sends what is seen, line by line, and at last `null`. */
async function attack(reproduction: Reproduction): Promise<void> {
  const apps: FastifyInstance[] = []
  const note = (line: string): void => void process.send?.(line)
  const target: Target = {
    create(options) {
      // Fastify writes into them.
      const app = factory({ ...options })
      apps.push(app)
      return app
    },
    note,
    async ask(app, request) {
      const { statusCode, body } = await app.inject(request)
      note(`${statusCode} ${body}`.trim())
    },
    async exchange(app, ...lines) {
      await app.listen({ port: 0, host: '127.0.0.1' })
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      socket.end([...lines, '', ''].join('\r\n'))
      return text(socket)
    },
  }
  try {
    await reproduction.attack(target)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    note(`throws ${code ?? message}`)
  }
  await Promise.all(apps.map((app) => app.close()))
  process.send?.(null)
}
