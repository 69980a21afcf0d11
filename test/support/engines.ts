/** The ways to run one application source: each gives a running server that is driven over sockets and `inject`. */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { EntryKind } from './app-main.ts'
import type { HostMessage, HostRequest, InjectOptions, JournalEntry } from './app-process.ts'
import type { ParityRequest, RawRequest } from './request.ts'
import { root } from './root.ts'
import { type Answer, Connection, sendRaw, toBytes, toLatin1 } from './wire.ts'
import { commandFile } from './command-file.ts'
import { temporaryFolder, thisProcess } from './folders.ts'

/** One way to run an application. */
export interface Engine {
  readonly name: string
  /** Node's flags, which decide what `framework` resolves to in the application's process. */
  flags(app: App): readonly string[] | Promise<readonly string[]>
  /** The program to run, if it starts the application itself. It listens on `PORT` and `HOST`. */
  program?(app: App): Promise<string>
  /** Starts the application elsewhere than in a process of Node. */
  start?(app: App): Promise<RunningApp>
}

/** One of the applications under `fixtures/apps`. */
export interface App {
  readonly name: string
  readonly kind: EntryKind
  /** The entry that runs. */
  readonly file: string
  /** The source of the entry, which is what gets built. */
  readonly source: string
  /** The compiled `requests.ts`. */
  readonly requests: string
  /** The folder of its artifact, if it has been built. */
  readonly artifact?: string
  /** True if a package that it uses generates code, so that its processes have to allow that. */
  readonly generatesCode: boolean
}

export interface RunningApp {
  /** @param lane the number of a connection, which sends one request at a time */
  send(request: ParityRequest, requestId: string, lane: number): Promise<Answer>
  inject(request: ParityRequest, requestId: string): Promise<Answer>
  sendRaw(request: RawRequest): Promise<string>
  /** Returns all entries so far, when no more are added. */
  journal(): Promise<readonly JournalEntry[]>
  /** Closes the application and returns its whole journal. */
  close(): Promise<readonly JournalEntry[]>
}

const support = (file: string): string => new URL(file, import.meta.url).href

/** Names of an application's files, and what its entry exports. By default, `app.ts` exports a factory. */
interface Entry {
  readonly kind?: EntryKind
  readonly source?: string
  /** The file that runs, if not the compiled `app.ts`. */
  readonly file?: string
  readonly requests?: string
  readonly generatesCode?: boolean
}

/** The small applications, by name. */
const small: Readonly<Record<string, Entry>> = {
  bookshop: {},
  commonjs: { source: 'app.cjs', file: 'app.cjs' },
  extensions: {},
  'module-level': { kind: 'instance' },
  'plugin-entry': { kind: 'plugin' },
  plugins: {},
  'plugins/csrf': { generatesCode: true },
  'post-office': {},
}

/** Applications that are projects of their own, with a `tsconfig.json` or plain JavaScript. */
const projects: Readonly<Record<string, Entry>> = {
  clinic: { source: 'app.js', file: 'app.js', requests: 'requests.mjs' },
  harbour: { source: 'apps/api/src/app.ts', file: 'apps/api/dist/app.js' },
  museum: { source: 'src/app.ts', file: 'dist/app.js' },
  railway: { source: 'src/app.ts', file: 'dist/app.js' },
}

export const projectNames: readonly string[] = Object.keys(projects)

export const appNames: readonly string[] = Object.keys(small)

/** @param name followed by `@5` for the application on `framework/5` */
export function appNamed(name: string): App {
  if (name.endsWith('@5')) return onFastify5(appNamed(name.slice(0, -2)))
  const entry = small[name] ?? projects[name]
  if (entry === undefined) throw new Error(`There is no application ${JSON.stringify(name)}`)
  const { kind = 'factory', source = 'app.ts', file, requests = 'requests.js' } = entry
  const folder = join(root, 'fixtures/apps', name)
  const built = join(root, 'dist/fixtures/apps', name)
  return {
    name,
    kind,
    file: file === undefined ? join(built, 'app.js') : join(folder, file),
    source: join(folder, source),
    requests: join(built, requests),
    generatesCode: entry.generatesCode === true,
  }
}

/** Copies the application, with `framework/5` in its imports. */
function onFastify5(app: App): App {
  const source = dirname(app.file)
  const folder = `${source}-5-${process.pid}`
  const file = join(folder, basename(app.file))
  if (!existsSync(folder)) {
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    cpSync(source, folder, { recursive: true })
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.c?js$/.test(name)) continue
      const text = readFileSync(join(folder, name), 'utf8')
      const changed = text.replace(/'framework'/g, "'framework/5'").replace("'4.x'", "'5.x'")
      if (changed !== text) writeFileSync(join(folder, name), changed)
    }
  }
  return { ...app, name: `${app.name}@5`, file, source: file }
}

/** The real Fastify: 4.21, or 5.12 for an application on `framework/5`. */
export const oracle: Engine = {
  name: 'oracle',
  flags: () => ['--import', support('oracle.js')],
}

/** The runtime with an artifact, in a process that refuses code generation unless the application needs it. */
export const compiled: Engine = {
  name: 'compiled',
  flags: async (app) => {
    const artifact = await artifactOf(app)
    return [
      ...(app.generatesCode ? [] : ['--disallow-code-generation-from-strings']),
      '--import',
      join(artifact, 'register.js'),
    ]
  },
}

/** The runtime, which compiles in process. */
export const development: Engine = {
  name: 'development',
  flags: () => ['--import', import.meta.resolve('framework/development')],
}

/** The folder of the application's artifact. */
export async function artifactOf({ name, source, artifact }: App): Promise<string> {
  if (artifact !== undefined) return artifact
  // Inside the checkout, so that the artifact's import of `framework/internal` resolves.
  const makeFolder = (): string => {
    const out = join(root, `dist/artifacts/${name}-${process.pid}`)
    process.once('exit', () => rmSync(out, { recursive: true, force: true }))
    return out
  }
  return outputOf(`artifact ${name}`, makeFolder, ['build', source])
}

const outputs = new Map<string, Promise<string>>()

/** Runs a command at most once in each process. Returns the folder of its output. */
function outputOf(key: string, makeFolder: () => string, args: readonly string[]): Promise<string> {
  let output = outputs.get(key)
  if (output === undefined) {
    const out = makeFolder()
    const command = promisify(execFile)(process.execPath, [commandFile, ...args, '--out', out])
    output = command.then(() => out)
    outputs.set(key, output)
  }
  return output
}

/** The output of `framework deploy --target node`, alone in a folder where nothing is installed. */
export const deployed: Engine = {
  name: 'deployed',
  flags: (app) => [
    ...(app.generatesCode ? [] : ['--disallow-code-generation-from-strings']),
    '--import',
    support('deployed-probe.js'),
  ],
  program: (app) => deploymentOf(app, 'node'),
}

/** The folder of the application's deployment for a target. */
export function deploymentOf(
  { name, source }: App,
  target: string,
  more: readonly string[] = [],
): Promise<string> {
  // The grid injects, even if the application itself doesn't.
  const args = ['deploy', source, '--target', target, ...more, '--with', 'light-my-request']
  const makeFolder = (): string => join(temporaryFolder(thisProcess), 'application')
  return outputOf([target, name, ...more].join(' '), makeFolder, args)
}

/** The real Fastify with several small defects, which the grid must find. */
export const broken: Engine = {
  name: 'broken',
  flags: () => ['--import', support('broken.js')],
}

export const engines: readonly Engine[] = [oracle, compiled, deployed, development, broken]

/** Starts `app` in a process of its own. Rejects with the application's error if it doesn't start. */
export async function start(engine: Engine, app: App): Promise<RunningApp> {
  if (engine.start) return engine.start(app)
  const program = await engine.program?.(app)
  const [file, args] =
    program === undefined
      ? [fileURLToPath(support('app-main.js')), [app.file, app.kind]]
      : [program, []]
  const child = fork(file, args, {
    execArgv: ['--enable-source-maps', ...(await engine.flags(app))],
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1' },
    // Applications read files relative to it.
    cwd: dirname(app.source),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const host = new Host(child, `${app.name} on ${engine.name}`)
  return {
    ...overSockets(await host.port, host),
    inject: async (request, id) => {
      const options = toInjectOptions(request, id)
      return toAnswer(await host.ask<InjectedResponse>({ kind: 'inject', options }))
    },
  }
}

/** Drives an application over connections to a port, without `inject`. */
export function overSockets(port: number, ends: Pick<RunningApp, 'journal' | 'close'>): RunningApp {
  const connections: Connection[] = []
  return {
    send(request, id, lane) {
      const connection = (connections[lane] ??= new Connection(port))
      const headers: [string, string][] = [
        ['host', 'shop.test'],
        ['request-id', id],
      ]
      return connection.send(toBytes(request, headers), request.method)
    },
    inject: () => Promise.reject(new Error('Nothing is injected from outside')),
    sendRaw: ({ raw, then }) => sendRaw(port, raw, then),
    journal: () => ends.journal(),
    close: async () => {
      for (const connection of connections) connection?.close()
      return ends.close()
    },
  }
}

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never

/** The parent's side of the messages that it exchanges with `app-process.ts`. */
export class Host {
  /** Where the application listens. */
  readonly port: Promise<number>
  readonly #child: ChildProcess
  readonly #pending = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  #last = 0

  constructor(child: ChildProcess, name: string) {
    this.#child = child
    let output = ''
    const collect = (data: Buffer): void => void (output += data.toString())
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    this.port = new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        const error = new Error(`${name}: ${why}\n${output}`)
        reject(error)
        for (const pending of this.#pending.values()) pending.reject(error)
        child.kill()
      }
      child.on('error', (error) => fail(error.message))
      child.on('exit', (code, signal) => fail(`exited with ${code ?? signal}`))
      child.on('message', (message: HostMessage) => {
        if (message.kind === 'listening') resolve(message.port)
        else if (message.kind === 'failed') fail(JSON.stringify(message.error, null, 2))
        else {
          this.#pending.get(message.id)?.resolve(message.value as never)
          this.#pending.delete(message.id)
        }
      })
    })
  }

  ask<T>(request: Unnumbered<HostRequest>): Promise<T> {
    const id = ++this.#last
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#child.send({ ...request, id })
    })
  }

  journal(): Promise<JournalEntry[]> {
    return this.ask({ kind: 'journal' })
  }

  /** Closes the application and returns its whole journal. */
  async close(): Promise<JournalEntry[]> {
    const journal = await this.ask<JournalEntry[]>({ kind: 'close' })
    this.#child.disconnect()
    return journal
  }
}

interface InjectedResponse {
  statusCode: number
  statusMessage: string
  headers: Record<string, string | number | string[]>
  body: string
}

function toInjectOptions(
  { method, target, headers = [], body }: ParityRequest,
  id: string,
): InjectOptions {
  return {
    method,
    url: target,
    headers: { 'request-id': id, ...Object.fromEntries(headers) },
    ...(body === undefined ? {} : { payload: toLatin1(body) }),
  }
}

function toAnswer({ statusCode, statusMessage, headers, body }: InjectedResponse): Answer {
  const lines = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map((one) => [name, one]) : [[name, String(value)]],
  )
  return { status: statusCode, statusMessage, headers: lines, body }
}
