/** The cost of every start of the bookshop, whatever serves it: Node's server, and the packages that it imports itself. */
import { createServer } from 'node:http'
import '@fastify/bearer-auth'
import '@sinclair/typebox'
import 'fastify-plugin'

interface Options {
  readonly port: number
  readonly host: string
}

export default function build(): { listen(options: Options): Promise<string> } {
  return {
    listen: ({ port, host }) =>
      new Promise((resolve) => {
        const server = createServer().listen(port, host, () => resolve(String(server.address())))
      }),
  }
}
