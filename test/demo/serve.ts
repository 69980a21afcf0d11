/** Serves the application of the given file and sends the parent its port and the cost of its start. */
import { pathToFileURL } from 'node:url'

const [module] = process.argv.slice(2)

interface Application {
  listen(options: { port: number; host: string }): Promise<string>
}

const { default: build } = (await import(pathToFileURL(module as string).href)) as {
  default: () => Application
}
const address = await build().listen({ port: 0, host: '127.0.0.1' })
const { user, system } = process.cpuUsage()
if (process.send === undefined) console.log(address)
else process.send({ address, cpu: (user + system) / 1000 })
