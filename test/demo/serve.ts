/** Serves the application of the given module and tells the parent its port and what its start cost. */
const [module] = process.argv.slice(2)

interface Application {
  listen(options: { port: number; host: string }): Promise<string>
}

const { default: build } = (await import(module as string)) as { default: () => Application }
const address = await build().listen({ port: 0, host: '127.0.0.1' })
const { user, system } = process.cpuUsage()
process.send?.({ address, cpu: (user + system) / 1000 })
