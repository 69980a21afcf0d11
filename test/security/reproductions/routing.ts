import { once } from 'node:events'
import { connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { type Reproduction, ends } from '../reproduction.ts'

/** Finding a route, or none. */
export const routing: readonly Reproduction[] = [
  {
    advisory: 'CVE-2026-47219',
    what: 'a method of HTTP/2 that is called like something objects inherit',
    async attack({ create, note }) {
      const app = create({ http2: true })
      app.get('/', async () => 'found')
      await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo
      const session = connect(`http://127.0.0.1:${port}`)
      const stream = session.request({ ':method': 'constructor', ':path': '/' })
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
      note(String(headers[':status']))
      session.destroy()
    },
    fastify: [ends("TypeError: Cannot read properties of undefined (reading 'length')")],
    framework: ['404'],
  },
]
