/** Whatever the application's code does, no answer of a deployment shows its source or the paths of its files. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'
import { serve, type Served } from './servers.ts'

/** Ends of a handler that a server may answer with a page of its own. */
const ends: readonly string[] = [
  'reply.code(100).send()',
  'reply.code(101).send()',
  'reply.code(199).send("x")',
  'reply.header("x", "a\\nb").send("x")',
  'reply.hijack(); throw secretSource',
  'reply.raw.destroy(secretSource)',
  'reply.raw.writeHead(100); reply.raw.end()',
  'reply.raw.writeHead(700); reply.raw.end()',
  'reply.send(new ReadableStream({ pull() { throw secretSource } }))',
  'reply.raw.write("a"); reply.raw.destroy(secretSource); reply.hijack()',
  'setImmediate(() => reply.raw.setHeader("a", "b")); reply.send("x")',
]

const shop = createWorkshop({ after }, 'cli/empty', {
  'app.js': `import framework from 'framework/5'
export const app = framework()
const secretSource = new Error('fault')
process.on?.('uncaughtException', () => undefined)
app.setErrorHandler((error, request, reply) => reply.code(500).send('handled'))
${ends.map((end, i) => `app.get('/${i}', (request, reply) => { ${end} })`).join('\n')}
app.get('/alive', async () => 'alive')
`,
})

for (const target of Object.keys(serve)) {
  test(`answers of a deployment to ${target} show no source`, async () => {
    shop.succeed('deploy', 'app.js', '--target', target, '--out', target)
    const folder = join(shop.folder, target)
    const { port, stop } = await (serve[target] as (folder: string) => Promise<Served>)(folder)
    const ask = async (path: string): Promise<string> => {
      try {
        const signal = AbortSignal.timeout(3000)
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal })
        return `${JSON.stringify([...response.headers])} ${await response.text()}`
      } catch {
        // A connection that is cut off shows nothing.
        return ''
      }
    }
    try {
      for (const [i, end] of ends.entries()) {
        const answer = await ask(`/${i}`)
        for (const part of ['secretSource', shop.folder, 'index.js', 'app.js', '    at '])
          assert.ok(!answer.includes(part), `${end} answers with ${answer.slice(0, 500)}`)
        assert.match(await ask('/alive'), /alive$/, end)
      }
    } finally {
      await stop()
    }
  })
}
