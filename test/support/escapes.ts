/** Ways out of the sandbox, for code that is evaluated and for applications that are booted in it. */
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Ways out of a process, each as the body of an async function with `port` and `folder`. */
export const doors: Readonly<Record<string, string>> = {
  'child_process.spawn': "require('child_process').spawn('touch', [folder + '/made'])",
  'child_process.execSync': "require('child_process').execSync('touch ' + folder + '/made')",
  'ChildProcess.prototype.spawn': `const { ChildProcess } = require('child_process')
    new ChildProcess().spawn({ file: 'touch', args: ['touch', folder + '/made'], envPairs: [], stdio: 'ignore' })`,
  'process.binding':
    "process.binding('spawn_sync').spawn({ file: 'touch', args: ['touch', folder + '/made'] })",
  'process.binding of files':
    "process.binding('fs').mkdir(folder + '/made', 0o777, false, undefined, {})",
  'process.dlopen': "process.dlopen({ exports: {} }, folder + '/none.node')",
  'process.execve':
    "if (!process.execve) throw new Error('there is none'); process.execve('/bin/touch', ['touch', folder + '/made'])",
  'cluster.fork': "require('cluster').fork()",
  'process.kill': 'process.kill(process.ppid, 0)',
  'process._kill': 'process._kill(process.ppid, 0)',
  'process._debugProcess': 'process._debugProcess(process.ppid)',
  'process.exit': 'process.exit(0)',
  'process.reallyExit': 'process.reallyExit(0)',
  'process.abort': 'process.abort()',
  'os.setPriority': "require('os').setPriority(process.ppid, 19)",
  'a nested Worker': `new (require('worker_threads').Worker)(
      "require('net').connect(" + port + ", '127.0.0.1'); require('fs').mkdirSync('" + folder + "/made')",
      { eval: true },
    )`,
  'module.register': "require('module').register('data:text/javascript,')",
  'inspector.Session': "new (require('inspector').Session)().connect()",
  'fs.writeFileSync': "require('fs').writeFileSync(folder + '/made', '')",
  'fs.promises.writeFile': "await require('fs').promises.writeFile(folder + '/made', '')",
  'fs.createWriteStream': `await new Promise((resolve, reject) => {
    require('fs').createWriteStream(folder + '/made').on('error', reject).on('open', resolve)
  })`,
  'fs.mkdirSync': "require('fs').mkdirSync(folder + '/made')",
  'fs.symlinkSync': "require('fs').symlinkSync(folder, folder + '/made')",
  'fs.renameSync': "require('fs').renameSync(folder + '/mine', folder + '/made')",
  'fs.rmSync': "require('fs').rmSync(folder + '/mine')",
  'fs.chmodSync': "require('fs').chmodSync(folder + '/mine', 0o777)",
  'node:sqlite':
    "new (require('node:sqlite').DatabaseSync)(folder + '/made').exec('create table a (b)')",
  'v8.writeHeapSnapshot': "require('v8').writeHeapSnapshot(folder + '/made')",
  'process.report': "process.report.directory = folder; process.report.writeReport('made')",
  trace_events:
    "process.chdir(folder); require('trace_events').createTracing({ categories: ['v8'] }).enable()",
  'net.connect': "await tried(require('net').connect(port, '127.0.0.1'), 'connect')",
  'net.Socket.connect':
    "await tried(new (require('net').Socket)().connect(port, '127.0.0.1'), 'connect')",
  'net.Server.listen':
    "await tried(require('net').createServer().listen(0, '127.0.0.1'), 'listening')",
  'a handle of net': `const socket = new (require('net').Socket)()
    try { socket.connect({ port, host: '127.0.0.1' }) } catch {}
    const { TCP } = require('net')._createServerHandle('127.0.0.1', 0, 4)?.constructor`,
  'the handle of standard error': `const { constructor: Pipe } = process.stderr._handle ?? {}
    if (!Pipe) throw new Error('there is none')
    const code = new Pipe(0).bind(folder + '/made')
    if (code) throw new Error('code ' + code)`,
  'tls.connect': "await tried(require('tls').connect(port, '127.0.0.1'), 'connect')",
  'http.get': "await tried(require('http').get({ port, host: '127.0.0.1' }), 'response')",
  'http2.connect': "await tried(require('http2').connect('http://127.0.0.1:' + port), 'connect')",
  fetch: "await fetch('http://127.0.0.1:' + port)",
  'dgram.send': `const socket = require('dgram').createSocket('udp4')
    await new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.send('out', port, '127.0.0.1', (error) => (error ? reject(error) : resolve()))
    })`,
  'a handle of dgram': `const socket = require('dgram').createSocket('udp4')
    const state = Object.getOwnPropertySymbols(socket).map((key) => socket[key]).find((one) => one?.handle)
    const code = state.handle.bind('127.0.0.1', 0, 0)
    if (code) throw new Error('code ' + code)`,
  'dns.lookup': `await new Promise((resolve, reject) =>
    require('dns').lookup('localhost', (error) => (error ? reject(error) : resolve())))`,
  'dns.promises.resolve': "await require('dns').promises.resolve('localhost')",
  'dns.Resolver': `await new Promise((resolve, reject) =>
    new (require('dns').Resolver)().resolve4('localhost', (error) => (error ? reject(error) : resolve())))`,
  ...Object.fromEntries(
    [
      '/proc/PARENT/environ',
      '/proc/PARENT/task/PARENT/environ',
      '/proc/PARENT/cmdline',
      '/proc/1/environ',
      '/proc/self/../PARENT/environ',
      '/proc/self/root/proc/PARENT/environ',
      '//proc//PARENT/environ',
      '/usr/../proc/PARENT/environ',
      '/dev/fd/../../PARENT/environ',
      '/dev/fd/../root/proc/PARENT/environ',
      '/dev/fd/../cwd/../../../../../../../../proc/PARENT/environ',
    ].map((path) => [
      `the environment: ${path}`,
      `require('fs').readFileSync('${path}'.replaceAll('PARENT', process.ppid))`,
    ]),
  ),
  'the environment: a relative path':
    "process.chdir('/'); await require('fs').promises.readFile('proc/' + process.ppid + '/environ')",
  'the environment: a file that moves':
    "process.chdir('/proc'); await require('fs').promises.readFile(process.ppid + '/environ')",
  'the environment: bytes':
    "require('fs').readFileSync(Buffer.from('/proc/' + process.ppid + '/environ'))",
  'the environment: a module': "require('/proc/' + process.ppid + '/environ')",
  'the environment: an import': "await import('/proc/' + process.ppid + '/environ')",
  'the environment: a blob':
    "await (await require('fs').openAsBlob('/proc/' + process.ppid + '/environ')).text()",
  'the environment: a stream': `await new Promise((resolve, reject) => {
    require('fs').createReadStream('/proc/' + process.ppid + '/environ').on('error', reject).on('data', resolve)
  })`,
  'the environment: process.loadEnvFile':
    "process.loadEnvFile('/proc/' + process.ppid + '/environ')",
}

/** Returns a module that tries each of them while it is loaded, and exports the results. */
export function attempts(
  port: number,
  folder: string,
  names: readonly string[] = Object.keys(doors),
): string {
  const bodies = names
    .map((name) => [name, doors[name]] as const)
    .map(([name, body]) => `${JSON.stringify(name)}: async () => { ${body} }`)
  return `
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const [port, folder] = ${JSON.stringify([port, folder])}
const tried = (emitter, event) => new Promise((resolve, reject) => emitter.on('error', reject).on(event, resolve))
const doors = { ${bodies.join(',\n')} }
const attempt = (open) => open().then(() => 'open', ({ cause, code, message }) => code ?? cause?.code ?? cause?.message ?? message)
const stalls = () => new Promise((resolve) => setTimeout(resolve, 500, 'stalls'))
export const results = {}
for (const [name, open] of Object.entries(doors)) results[name] = await Promise.race([attempt(open), stalls()])
`
}

/** A missing module can't be open. */
const absent: Readonly<Record<string, string>> = {
  'process.execve': 'there is none',
  'the handle of standard error': 'there is none',
  'node:sqlite': 'ERR_UNKNOWN_BUILTIN_MODULE',
}

/** Returns the ways that are open. */
export function openDoors(
  results: object,
  names: readonly string[] = Object.keys(doors),
): readonly [name: string, how: string][] {
  const all = Object.entries(results) as [string, string][]
  assert.deepEqual(
    all.map(([name]) => name),
    names,
  )
  return all.filter(([name, how]) => !closed.test(how) && how !== absent[name])
}

/** Where there is no `/proc`, its files don't exist. */
const closed =
  process.platform === 'linux'
    ? /^ERR_(?:ACCESS_DENIED|DLOPEN_DISABLED)$|^a schema may not /
    : /^ERR_(?:ACCESS_DENIED|DLOPEN_DISABLED)$|^a schema may not |^ENOENT$|_NOT_FOUND$/

/** Listens for connections and packets from within. */
export async function listenForEscapes(): Promise<{
  readonly port: number
  /** Grows with each of them. */
  readonly calls: readonly string[]
  close(): void
}> {
  const calls: string[] = []
  const server = createServer((socket) => {
    calls.push('a connection')
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const udp = createSocket('udp4').on('message', () => calls.push('a packet'))
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  const close = (): void => {
    server.close()
    udp.close()
  }
  return { port, calls, close }
}
