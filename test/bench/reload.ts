/**
 * `npm run bench:reload [-- --runs 15 --routes 100]`
 *
 * Measures how long `vite dev` takes from the change of one module with a schema to the answer that shows it: with the plugin of
 * `@framework/compiler/vite`, which builds first, and with Hono's plugin. Both run in turns, in plain Vite 8, and are asked all the time. The build
 * is measured alone, too.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { root } from '../support/root.ts'
import { createBuilder } from '../../cli/watch/build-thread.ts'
import { startServer } from '../support/start-server.ts'
import { installed } from '../targets/installed.ts'
import { median } from './figures.ts'
import { writeFile } from './prepare.ts'
import { plainEnv } from './sample-request.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    routes: { type: 'string', default: '100' },
  },
})
const numbers = Array.from({ length: Number(values.routes) }, (_, i) => i)

const packages = {
  '@hono/typebox-validator': '^0.3.3',
  '@sinclair/typebox': '0.34.52',
  hono: '^4.13.19',
  vite: '8.3.8',
}
const modules = dirname(dirname(installed('@hono/vite-dev-server', '0.26.1', packages, 'reload')))

interface Plugin {
  readonly config: string
  readonly app: string
  /** Source of the module of a route that takes one page. */
  readonly route: (i: number, page: number) => string
}

const imports = numbers.map((i) => `import route${i} from './route${i}.js'`).join('\n')
const calls = numbers.map((i) => `  route${i}(app)`).join('\n')

const plugins: Readonly<Record<string, Plugin>> = {
  hono: {
    config: `import devServer from '@hono/vite-dev-server'
export default { plugins: [devServer({ entry: 'app.js' })] }
`,
    app: `import { Hono } from 'hono'
${imports}
const app = new Hono()
${calls}
export default app
`,
    route: (i, page) => `import { tbValidator } from '@hono/typebox-validator'
import { Type } from '@sinclair/typebox'
const query = Type.Object({ page: Type.Literal('${page}') })
export default (app) => app.get('/route${i}', tbValidator('query', query), (c) => c.json(c.req.valid('query')))
`,
  },
  framework: {
    config: `import framework from '@framework/compiler/vite'
export default { plugins: [framework({ entry: 'app.js' })] }
`,
    app: `import framework from 'framework/5'
${imports}
export default function shop(options) {
  const app = framework(options)
${calls}
  return app
}
`,
    route: (i, page) => `const page = { type: 'integer', enum: [${page}] }
const querystring = { type: 'object', required: ['page'], properties: { page } }
const response = { 200: { type: 'object', properties: { page } } }
export default (app) => app.get('/route${i}', { schema: { querystring, response } }, async (request) => request.query)
`,
  },
}

interface Contestant {
  readonly name: string
  /** Changes a route. Resolves to the milliseconds until that shows. */
  change(page: number): Promise<number>
  stop(): Promise<unknown>
}

/** Writes an application. Returns the function that writes its files. */
function lay(name: string, { config, app, route }: Plugin): (file: string, text: string) => string {
  const folder = join(root, 'dist/bench/reload', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules/@framework'), { recursive: true })
  for (const one of ['@hono', '@sinclair', 'hono', 'vite'])
    symlinkSync(join(modules, one), join(folder, 'node_modules', one))
  symlinkSync(join(root, 'runtime'), join(folder, 'node_modules/framework'))
  symlinkSync(join(root, 'compiler'), join(folder, 'node_modules/@framework/compiler'))
  const write = (file: string, text: string): string => writeFile(join(folder, file), text)
  write('package.json', '{ "private": true, "type": "module" }\n')
  write('vite.config.js', config)
  for (const i of numbers) write(`route${i}.js`, route(i, 1))
  write('app.js', app)
  return write
}

async function startVite(name: string, plugin: Plugin): Promise<Contestant> {
  const write = lay(name, plugin)
  const cwd = dirname(write('.env', ''))
  const program = join(modules, 'vite/bin/vite.js')
  const args = [program, '--host', '127.0.0.1', '--port', '0']
  const env = { ...plainEnv, NO_COLOR: '1' }
  const pattern = /Local:\s+http:\/\/127\.0\.0\.1:(\d+)/
  const { port, stop } = await startServer(process.execPath, args, { cwd, env, pattern })
  const shows = async (page: number): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}/route0?page=${page}`)).status === 200
  while (!(await shows(1))) await pause(100)
  return {
    name,
    async change(page) {
      if (await shows(page)) throw new Error(`${name} takes page ${page} before the change`)
      const before = performance.now()
      write('route0.js', plugin.route(0, page))
      while (!(await shows(page))) await pause(5)
      return performance.now() - before
    },
    stop,
  }
}

async function startBuilder(name: string, plugin: Plugin): Promise<Contestant> {
  const write = lay(name, plugin)
  const entry = write('app.js', plugin.app)
  const builder = createBuilder({ entry, boot: 'whenNeeded' }, plainEnv, () => undefined)
  await builder.build()
  return {
    name,
    async change(page) {
      write('route0.js', plugin.route(0, page))
      const before = performance.now()
      const { result } = await builder.build()
      if (result.artifact === undefined) throw new Error('It was not built')
      return performance.now() - before
    },
    stop: builder.end,
  }
}

const contestants = [
  await startVite('hono', plugins['hono']!),
  await startVite('framework', plugins['framework']!),
  await startBuilder('a build alone', plugins['framework']!),
]
const times = new Map(contestants.map(({ name }) => [name, [] as number[]]))
try {
  // The first change loads code.
  for (let run = -1; run < Number(values.runs); run++) {
    for (const { name, change } of contestants) {
      const time = await change(run + 3)
      if (run >= 0) times.get(name)!.push(time)
    }
  }
} finally {
  for (const { stop } of contestants) await stop()
}

const ofHono = median(times.get('hono')!)
console.log(`\n${values.routes} routes, one changed: medians of ${values.runs} changes`)
console.table(
  Object.fromEntries(
    [...times].map(([name, all]) => [
      name,
      { ms: Math.round(median(all)), 'of Hono': Number((median(all) / ofHono).toFixed(2)) },
    ]),
  ),
)
