/**
 * `npm run demo`: builds an application that was written for Fastify 5, serves it from a process that refuses to generate code, sends it a
 * few things, and compares what a start costs with Fastify. Linux and macOS.
 */
import { spawn, spawnSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { prepareStarts, sampleRequest } from '../bench/application.ts'
import { plural } from '../bench/prepare.ts'
import { nodeContestant, race } from '../bench/startup.ts'
import { commandFile } from '../support/command-file.ts'
import { freePort, listening } from '../support/ports.ts'
import { root } from '../support/root.ts'

const folder = join(root, 'examples/from-fastify-5')
const noCodegen = '--disallow-code-generation-from-strings'
const [STARTS, ROUTES] = [5, 100]

console.log(`In ${relative('', folder)}:\n\n1. framework build after.js\n`)
const build = spawnSync(process.execPath, [commandFile, 'build', 'after.js'], {
  cwd: folder,
  encoding: 'utf8',
})
if (build.status !== 0) throw new Error(build.stderr)
const lines = build.stdout.trim().split('\n')
console.log(indent(lines.join('\n')))
console.log(`
   The brackets contain the parts of a route that have a schema: body, query string, params, headers, or the response of a status.`)
// The start command that the build prints, with a flag of Node's.
const [, ...started] = (lines.at(-1) as string).trim().split(' ')

console.log(`\n2. node ${[noCodegen, ...started].join(' ')}\n`)
const port = await freePort()
const child = spawn(process.execPath, [noCodegen, ...started], {
  cwd: folder,
  env: { ...process.env, PORT: `${port}` },
  stdio: ['ignore', 'ignore', 'inherit'],
})
await listening(port)
const emma = { title: 'Emma', year: '1815', secret: 'not in the schema' }
await ask('The year becomes a number; the answer leaves out the secret:', 'POST', '/books', emma)
await ask('Refused, because the title is empty:', 'POST', '/books', { title: '' })
await ask('The method QUERY, which Fastify 5 has:', 'QUERY', '/books', { words: 'pride prejudice' })
await ask('No such route:', 'GET', '/nowhere')
child.kill()

console.log(`3. What a start costs until the first response, beyond a server of node:http
   (CPU time, ${plural(ROUTES)}, median of ${STARTS} starts, alternately)\n`)
const starts = prepareStarts(join(root, 'dist/demo/starts'), ROUTES, 'loop')
const contestants = Object.entries(starts).map(([name, args]) =>
  nodeContestant(name, args, process.execPath),
)
const [, ...costs] = await race(contestants, sampleRequest, STARTS)
for (const [i, [name, { cpu }]] of costs.entries()) {
  // Fastify comes before what replaces it.
  const fastify = costs[i - 1]?.[1].cpu ?? 0
  const less = name.startsWith('framework') ? `, ${(fastify / cpu).toFixed(0)} times less` : ''
  console.log(`   ${name.padEnd(14)}${cpu.toFixed(0).padStart(5)} ms${less}`)
}

async function ask(title: string, method: string, path: string, body?: object): Promise<void> {
  const init = body && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }
  const response = await fetch(`http://localhost:${port}${path}`, { method, ...init })
  console.log(`   ${title}`)
  console.log(`   ${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}`)
  console.log(`   ${response.status} ${await response.text()}\n`)
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '   ')
}
