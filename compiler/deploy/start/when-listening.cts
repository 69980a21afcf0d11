// Preloaded into a deployment. Once it listens, sends it a request, publishes to the channel `framework.listening`, writes the compile
// cache and ends the process.
const { channel, subscribe } = process.getBuiltinModule('node:diagnostics_channel')
const { flushCompileCache } = process.getBuiltinModule('node:module') as {
  readonly flushCompileCache?: () => void
}

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
    const { connect } = process.getBuiltinModule('node:net')
    const address = server.address()
    const socket =
      typeof address === 'string'
        ? connect(address)
        : connect(address?.port as number, address?.address)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      channel('framework.listening').publish(undefined)
      // `publish` throws errors of subscribers in the next tick: they end the process first.
      setImmediate(() => {
        flushCompileCache?.()
        process.exit(0)
      })
    })
    socket.end(
      'GET /framework-first-start HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n',
    )
    socket.resume()
  }, 10)
  timer.unref()
})
