/** Applications outside this package that are type-checked. */
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from '../support/folders.ts'
import { root } from '../support/root.ts'

/** Returns the problems that the compiler finds. */
export function check(project: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', project], { cwd: root }, (error, stdout, stderr) => {
      resolve(error === null ? '' : stdout + stderr)
    })
  })
}

/** A folder outside this package, with the built package installed in it. */
export async function consumer(
  t: TestContext,
  options: object,
  packages: readonly string[] = [],
): Promise<string> {
  const folder = temporaryFolder(t)
  const installed = [
    '@fastify/bearer-auth',
    '@sinclair/typebox',
    '@types/node',
    'fastify-plugin',
    'typebox',
    'zod',
    ...packages,
  ]
  for (const name of installed) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await symlink(join(root, 'runtime'), join(folder, 'node_modules/framework'))
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node', 'framework/fastify'],
    ...options,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return folder
}
