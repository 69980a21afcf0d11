/** Listening at an address takes a shorter way than Node's: nobody may see a difference, nor be passed over. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'framework-listen-'))
after(() => rmSync(folder, { recursive: true }))

const wrapListen = `
const { listen } = net.Server.prototype
net.Server.prototype.listen = function (...args) {
  log('listen', args[0].host)
  return listen.apply(this, args)
}`

/** Each makes an application listen, and logs what it sees. */
const programs: Readonly<Record<string, string>> = {
  'the address, and what comes after what': `
app.server.on('listening', () => log('event', app.server.address().address, app.server.listening))
const listening = app.listen({ port: 0, host: '127.0.0.1', backlog: 7 }, (error, address) => {
  log('callback', error, address.replace(/\\d+$/, ''), app.server._connectionKey)
  setImmediate(async () => {
    const { port } = app.server.address()
    log((await fetch('http://127.0.0.1:' + port)).status)
    await app.close()
  })
})`,
  'all addresses': `
log((await app.listen({ port: 0, host: '0.0.0.0' })).replace(/\\d+$/, ''))
await app.close()`,
  'addresses of IPv6': `
for (const host of ['::', '::1', '0:0:0:0:0:0:0:1']) {
  const other = fastify()
  log((await other.listen({ port: 0, host })).replace(/\\d+$/, ''), other.server._connectionKey)
  await other.close()
}`,
  'a port that is taken': `
const other = fastify()
await other.listen({ port: 0, host: '127.0.0.1' })
const { port } = other.server.address()
try {
  await app.listen({ port, host: '127.0.0.1' })
} catch ({ code, errno, syscall, address, message, port: told }) {
  log(code, errno, syscall, address, message.replace(port, 'PORT'), told === port)
}
await other.close()
await app.close()`,
  'an address of another machine': `
try {
  await app.listen({ port: 0, host: '192.0.2.1' })
} catch ({ code, errno, syscall, address, message, port }) {
  log(code, errno, syscall, address, message, port)
}
await app.close()`,
  'a port that is none': `
try {
  await app.listen({ port: 65536, host: '127.0.0.1' })
} catch ({ code, message }) {
  log(code, message)
}`,
  'a name that looks like an address': `
log((await app.listen({ port: 0, host: '127.1' })).replace(/\\d+$/, ''))
await app.close()`,
  'an option of the server': `
const ending = new AbortController()
await app.listen({ port: 0, host: '127.0.0.1', exclusive: true, signal: ending.signal })
app.server.on('close', () => log('closed'))
ending.abort()`,
  'a port that is shared, where Node can': `
const first = net.createServer().listen({ port: 0, host: '127.0.0.1', reusePort: true })
await once(first, 'listening')
const { port } = first.address()
try {
  await app.listen({ port, host: '127.0.0.1', reusePort: true })
  log('shared')
} catch ({ code }) {
  log(code)
}
first.close()
await app.close()`,
  'somebody wraps `listen`': `${wrapListen}
await app.listen({ port: 0, host: '127.0.0.1' })
await app.close()`,
  'somebody wraps `_listen2`': `
const { _listen2 } = net.Server.prototype
net.Server.prototype._listen2 = function (...args) {
  log('_listen2', args)
  return _listen2.apply(this, args)
}
await app.listen({ port: 0, host: '127.0.0.1' })
await app.close()`,
  'somebody answers lookups himself': `
const { lookup } = dns
dns.lookup = (host, ...args) => lookup(host === '0.0.0.0' ? '127.0.0.1' : host, ...args)
log((await app.listen({ port: 0, host: '0.0.0.0' })).replace(/\\d+$/, ''))
await app.close()`,
  'no words for the address': `
await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: null })
await app.close()
log('closed')`,
  'somebody hears of servers that listen': `
tracingChannel('net.server.listen').subscribe({
  start() {},
  end() {},
  asyncStart: ({ options }) => log('start', options.host),
  asyncEnd: () => log('end'),
  error() {},
})
await app.listen({ port: 0, host: '127.0.0.1' })
await app.close()`,
  'two that listen at once': `
const place = { port: 0, host: '127.0.0.1' }
const both = await Promise.allSettled([app.listen(place), app.listen(place)])
log(both.map(({ status, reason }) => status + reason?.code))
await app.close()`,
  'a close before it listens': `
app.listen({ port: 0, host: '127.0.0.1' }, (error) => log('called back', error))
app.ready(() => app.close().then(() => log('closed')))
setTimeout(() => process.exit(), 200)`,
  'a server that is closed before it listens': `
app.listen({ port: 0, host: '127.0.0.1' }).then(() => log('listens'))
app.ready().then(() => {
  log(app.server.listening, app.server.address() === null)
  app.server.close((error) => log('closed', error?.code))
})
setTimeout(() => process.exit(), 200)`,
  'a server that is told to listen elsewhere before': `
await app.ready()
app.server.on('listening', () => log('listening', app.server.address().address))
app.server.listen({ port: 0, host: 'localhost' })
app.listen({ port: 0, host: '127.0.0.2' }).then((address) => log(address.replace(/\\d+$/, '')))
setTimeout(() => process.exit(), 200)`,
  'a listener for errors that comes late': `
const other = fastify()
await other.listen({ port: 0, host: '127.0.0.1' })
app.listen({ port: other.server.address().port, host: '127.0.0.1' }, (error) => log(error.code))
app.ready(() => process.nextTick(() => app.server.on('error', ({ code }) => log('heard', code))))
setTimeout(() => process.exit(), 200)`,
  'a server that listens already': `
await once(app.server.listen(0, '127.0.0.1'), 'listening')
try {
  await app.listen({ port: 0, host: '127.0.0.1' })
} catch ({ code }) {
  log(code)
}
await app.close()`,
  'a cluster': `
if (cluster.isPrimary) {
  const workers = [cluster.fork(), cluster.fork()]
  const ports = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]))
  log(new Set(ports).size, (await fetch('http://127.0.0.1:' + ports[0])).status)
  for (const worker of workers) worker.kill()
} else {
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.send(app.server.address().port)
}`,
}

function run(name: string, source: string, text: string): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, text)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  assert.equal(status, 0, stderr + source)
  return stdout
}

function programOf(framework: string, text: string): string {
  // What is loaded counts: each program loads what it uses alone.
  return `${text.includes('cluster.') ? "import cluster from 'node:cluster'" : ''}
${text.includes('dns.') ? "import dns from 'node:dns'" : ''}
import { tracingChannel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import net from 'node:net'
import fastify from '${framework}'
const log = (...seen) => console.log(JSON.stringify(seen))
const app = fastify()
app.get('/', async () => 'here')
${text}
`
}

const frameworks = {
  fastify: import.meta.resolve('fastify'),
  framework: new URL('dist/package/index.js', `file://${root}`).href,
}

for (const [title, text] of Object.entries(programs)) {
  test(`listens as Fastify does: ${title}`, () => {
    const [theirs, ours] = Object.entries(frameworks).map(([name, url]) =>
      run(name, text, programOf(url, text)),
    )
    assert.notEqual(theirs, '')
    assert.equal(ours, theirs)
  })
}

test('nothing is loaded to look up an address', () => {
  const text = `import framework from '${frameworks.framework}'
const app = framework()
await app.listen({ port: 0, host: '127.0.0.1' })
await app.close()
const names = ['child_process', 'cluster', 'dgram', 'dns']
console.log(names.filter((name) => process.moduleLoadList.includes('NativeModule ' + name)))
`
  assert.equal(run('loads', text, text), '[]\n')
})
