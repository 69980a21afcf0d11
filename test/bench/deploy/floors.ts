/**
 * Lower bounds for deployments: servers without a framework that only do what V8 has to do for one as well. What a
 * deployment costs beyond them is the framework's own work.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SampleRequest } from '../sample-request.ts'
import { rawSource } from './sources.ts'

/** The start of the application's text, which follows that of the runtime. */
const APPLICATION = '\nfunction build('

/**
 * Has V8 read the runtime that a deployment holds, which it does not run, and keeps as many routes as the deployment has, with
 * the lazy schemas in it.
 */
export function textFloor(
  folder: string,
  deployment: string,
  count: number,
  request: SampleRequest,
): string {
  const runtime = join(folder, 'floor.runtime.js')
  writeFileSync(runtime, runtimeOf(deployment))
  const floor = join(folder, 'floor.cjs')
  writeFileSync(
    floor,
    `new (process.getBuiltinModule('node:vm').Script)(process.getBuiltinModule('node:fs').readFileSync(${JSON.stringify(runtime)}, 'utf8'))
${keptRoutes(count)}${rawSource(request)}`,
  )
  return floor
}

/** The text of the runtime in a deployment. */
export function runtimeOf(deployment: string): string {
  const text = readFileSync(join(deployment, 'index.js'), 'utf8')
  const end = text.indexOf(APPLICATION)
  if (end === -1) throw new Error(`${deployment} does not hold the application that was generated`)
  return text.slice(0, end)
}

/** The application of a deployment, on an instance that only keeps its routes. */
export function keptRoutes(count: number): string {
  const routes = Array.from(
    { length: count },
    (_, i) =>
      `  app.post('/r' + ${i} + '/:id', { schema: schema(${i}, 0) }, async (request) => ({ id: request.params.id, ...request.body }))`,
  )
  return `const routes = []
const app = { post(...route) { routes.push(route) } }
const schema = (nth, shape) => ({ nth, shape })
build()
function build() {
${routes.join('\n')}
}
`
}
