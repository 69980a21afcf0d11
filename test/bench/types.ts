/** `npm run bench:types`: compiles a file of 300 typed routes with the types of each server, in turns. Prints medians of five runs. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.ts'

const RUNS = 5
const servers = ['fastify', 'framework', 'fastify-5', 'framework/5']
const rows = ['Check time', 'Total time', 'Memory used', 'Types', 'Instantiations'] as const

/** Infers handlers and hooks from a generic, as most applications write it; a generic per status code isn't known to Fastify 4.21. */
function routesOf(server: string): string {
  const routes = Array.from(
    { length: 300 },
    (
      _,
      i,
    ) => `app.post<{ Params: { id: string }; Querystring: { page?: number }; Body: { title${i}: string }; Reply: { id: number; title: string } }>(
  '/books${i}/:id',
  {
    schema: { body: { type: 'object', properties: { title${i}: { type: 'string' } } } },
    preHandler: async (request) => void request.body.title${i},
  },
  async (request) => ({ id: request.query.page ?? 1, title: request.body.title${i} + request.params.id }),
)
`,
  )
  return `import fastify from '${server}'\nconst app = fastify()\n${routes.join('')}`
}

const folder = mkdtempSync(join(root, 'test/types/routes-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const measured = new Map(servers.map((server) => [server, [] as number[][]]))
for (let run = 0; run < RUNS; run++) {
  for (const [server, figures] of measured) {
    const file = join(folder, `${server.replace('/', '-')}.ts`)
    writeFileSync(file, routesOf(server))
    figures.push(compile(file))
  }
}
const table = rows.map((row, i) => [row, ...servers.map((server) => median(server, i))])
console.table(
  Object.fromEntries(
    table.map(([row, ...values]) => [
      row,
      Object.fromEntries(servers.map((server, i) => [server, values[i]])),
    ]),
  ),
)

function compile(file: string): number[] {
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --types node'
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options.split(' ')]
  const { status, stdout } = spawnSync(
    process.execPath,
    [...args, '--target', 'es2022', '--extendedDiagnostics', file],
    { cwd: root, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stdout)
  return rows.map((row) => Number(new RegExp(`^${row}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]))
}

function median(server: string, row: number): number | undefined {
  const values = measured.get(server)?.map((figures) => figures[row] as number)
  return values?.sort((a, b) => a - b)[RUNS >> 1]
}
