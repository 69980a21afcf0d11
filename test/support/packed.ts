/** Installs the packages, as they are published, into empty folders. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Finished } from './command-runs.ts'
import { type Lasting, temporaryFolder } from './folders.ts'
import { root } from './root.ts'

interface PackageJson {
  readonly bin?: { readonly framework: string }
  readonly dependencies: Readonly<Record<string, string>>
}

export interface PackedFolder {
  readonly folder: string
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Finished
  framework(...args: string[]): Finished
  /** Path of a package that is installed there. */
  installed(name: string): string
  /** Installs a package that is installed here. */
  link(name: string): void
  write(file: string, content: string): void
  read(file: string): string
  /** Copies a folder of this repository into it. */
  copy(fixture: string): void
}

export interface Tarballs {
  readonly runtime: string
  readonly compiler: string
  /** To be installed under the name `fastify`. */
  readonly fastify: string
}

/** Creates the tarballs to publish, which exist for as long as `t` lasts. */
export function pack(t: Lasting): Tarballs {
  const folder = temporaryFolder(t)
  const packages = ['./runtime', './compiler', './packaging/fastify']
  execFileSync('npm', ['pack', ...packages, '--silent', '--pack-destination', folder], {
    cwd: root,
  })
  const files = readdirSync(folder).sort()
  const [runtime = '', compiler = '', fastify = ''] = [/^framework-\d/, /compiler/, /fastify/].map(
    (pattern) => join(folder, files.find((file) => pattern.test(file)) as string),
  )
  return { runtime, compiler, fastify }
}

/**
 * Creates a folder with the content of the tarballs, their dependencies, and `packages`, which are linked to those installed here.
 * Without the tarball of the compiler, it's as in production.
 */
export function createPackedFolder(
  t: Lasting,
  tarballs: Pick<Tarballs, 'runtime'> & Partial<Tarballs>,
  packages: readonly string[] = [],
): PackedFolder {
  const folder = temporaryFolder(t)
  const path = (file: string): string => join(folder, file)
  const installed = (name: string): string => path(`node_modules/${name}`)
  const install = (name: string, tarball: string): void => {
    mkdirSync(installed(name), { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', installed(name), '--strip-components=1'])
    for (const dependency of Object.keys(packageJsonOf(name).dependencies)) link(dependency)
  }
  const packageJsonOf = (name: string): PackageJson =>
    JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8')) as PackageJson
  const link = (name: string): void => {
    mkdirSync(dirname(installed(name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), installed(name), 'dir')
  }
  install('framework', tarballs.runtime)
  if (tarballs.compiler !== undefined) install('@framework/compiler', tarballs.compiler)
  packages.forEach(link)
  const command = join(installed('framework'), packageJsonOf('framework').bin?.framework as string)
  const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Finished => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      // Variables of this test runner would confuse other runners.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...env },
    })
    return { status, stdout, stderr }
  }
  return {
    folder,
    node,
    framework: (...args) => node([command, ...args]),
    installed,
    link,
    write(file, content) {
      mkdirSync(dirname(path(file)), { recursive: true })
      writeFileSync(path(file), content)
    },
    read: (file) => readFileSync(path(file), 'utf8'),
    copy(fixture) {
      const from = join(root, 'fixtures', fixture)
      if (!existsSync(from)) throw new Error(`There is no ${from}`)
      cpSync(from, folder, { recursive: true })
    },
  }
}
