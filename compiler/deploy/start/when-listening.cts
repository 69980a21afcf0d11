// Preloaded into a deployment: sends a request once it listens, then publishes to the channel `framework.listening`.
const { channel, subscribe } = process.getBuiltinModule('node:diagnostics_channel')

interface Application {
  readonly server: {
    readonly listening: boolean
    address(): { readonly port: number; readonly address: string } | string | null
  }
}

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: Application }
  const timer = setInterval(() => {
    const { server } = fastify
    if (!server.listening) return
    clearInterval(timer)
    const address = server.address()
    const { connect } = process.getBuiltinModule('node:net')
    const socket =
      typeof address === 'string'
        ? connect(address)
        : connect(address?.port as number, address?.address)
    socket.on('error', () => undefined)
    socket.on('close', () => channel('framework.listening').publish(undefined))
    socket.end(
      'GET /framework-first-start HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n',
    )
    socket.resume()
  }, 10)
  timer.unref()
})
