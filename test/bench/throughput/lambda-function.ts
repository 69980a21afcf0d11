/** `lambda-function.js <module>`: invokes the module's handler as Lambda does, with one event after the other. Reports the CPU time of an invocation. */
import { pathToFileURL } from 'node:url'
import type { Calls } from './lambda.ts'

interface Answer {
  readonly statusCode: number
}

const { handler } = (await import(pathToFileURL(process.argv[2] as string).href)) as {
  handler(event: object, context: object): Promise<Answer>
}

process.on('message', async ({ event, status, count }: Calls) => {
  const { user, system } = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    const { statusCode } = await handler(event, {})
    if (statusCode !== status) throw new Error(`The answer has the status ${statusCode}`)
  }
  const used = process.cpuUsage()
  process.send?.((used.user + used.system - user - system) / count)
})
