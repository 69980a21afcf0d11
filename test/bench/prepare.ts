/** Steps that several benchmarks take before they measure. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installOnce } from '../conformance/install.ts'
import { cacheDir } from '../conformance/suite.ts'
import { root } from '../support/root.ts'

/** The newest releases of these majors when they are installed. */
const packages = {
  '@fastify/aws-lambda': '^6.4.1',
  '@fastify/bearer-auth': '^10.1.1',
  '@fastify/cookie': '^11.0.2',
  '@hono/node-server': '^2.1.8',
  '@hono/typebox-validator': '^0.3.3',
  '@sinclair/typebox': '0.34.52',
  elysia: '^1.4.30',
  fastify: '^5.12.8',
  hono: '^4.13.19',
}

/** Installs other frameworks once per machine. Modules below the folder import them by name. */
export function peerFolder(benchmark: string): string {
  const folder = join(cacheDir, benchmark)
  installOnce(folder, { dependencies: packages }, () => {})
  return folder
}

export function framework(...args: readonly string[]): void {
  frameworkOf(root, ...args)
}

/** Runs the command of a checkout of this repository, which is built. */
export function frameworkOf(checkout: string, ...args: readonly string[]): void {
  const command = [join(checkout, 'compiler/dist/cli.js'), ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`framework ${args.join(' ')} failed:\n${stdout}${stderr}`)
}

export function writeFile(file: string, text: string): string {
  writeFileSync(file, text)
  return file
}

/** Source of a module that exports a factory with options which the application doesn't set. */
export function factorySource(file: string, options: string): string {
  return `import factory from ${JSON.stringify(file)}
export default (given) => factory({ ...given, ...${options} })
`
}

/** Source of a module that replaces `framework` in a Worker, with the artifact of a folder. */
export function withArtifact(out: string): string {
  const artifact = `import artifact from ${JSON.stringify(join(out, 'worker.mjs'))}\n`
  return (
    artifact + factorySource(join(root, 'runtime/dist/workerd/index.js'), '{ aot: { artifact } }')
  )
}

export function plural(count: number): string {
  return `${count} route${count === 1 ? '' : 's'}`
}
