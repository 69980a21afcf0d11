/**
 * What no deployment can be cheaper than: servers without a framework that only do what V8 has to do for one as well. What a
 * deployment costs beyond them is the framework's own work.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SampleRequest } from '../cold-start/request.ts'
import { rawSource } from './sources.ts'

/** What the text of the application begins with, behind that of the runtime. */
const APPLICATION = '\nfunction build('

/**
 * Has V8 read the runtime that a deployment holds, which it does not run, and keeps as many routes as the deployment has, with
 * what stands there for their schemas.
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

/** The bare server as the main function of a snapshot: node:http is in none. @returns the arguments of Node */
export function snapshotFloor(folder: string, node: string, request: SampleRequest): string[] {
  return takeSnapshot(join(folder, 'floor.snapshot.cjs'), node, '', rawSource(request))
}

/**
 * The same with what every deployment has Node read: the text of its runtime and as many routes as it has, in one file, which is
 * read once more to see whether it is whole.
 */
export function wholeSnapshotFloor(
  folder: string,
  node: string,
  deployment: string,
  count: number,
  request: SampleRequest,
): string[] {
  const program = join(folder, 'floor.whole-snapshot.cjs')
  const kept = `const { openSync, readSync, closeSync } = process.getBuiltinModule('node:fs')
const { crc32 } = process.getBuiltinModule('node:zlib')
globalThis.text = ${JSON.stringify(runtimeOf(deployment))}
${keptRoutes(count)}
function sumOf(path) {
  const file = openSync(path, 'r')
  const part = Buffer.allocUnsafe(1 << 18)
  let sum = 0
  let length
  while ((length = readSync(file, part, 0, part.length, null)) > 0) sum = crc32(part.subarray(0, length), sum)
  closeSync(file)
  return sum
}
`
  const main = `sumOf(${JSON.stringify(`${program}.blob`)})\n${rawSource(request)}`
  return takeSnapshot(program, node, kept, main)
}

/** @param main what runs when it is started @returns the arguments of Node */
function takeSnapshot(program: string, node: string, kept: string, main: string): string[] {
  const blob = `${program}.blob`
  writeFileSync(
    program,
    `${kept}process.getBuiltinModule('node:v8').startupSnapshot.setDeserializeMainFunction(() => {
${main}})
`,
  )
  const args = ['--snapshot-blob', blob, '--build-snapshot', program]
  const { status, stderr } = spawnSync(node, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`No snapshot of a bare server:\n${stderr}`)
  return ['--snapshot-blob', blob, program]
}
