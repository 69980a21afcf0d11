/** The package as it is published, in an empty folder. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finished } from './workshop.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Something that ends. */
interface Lasting {
  after(end: () => void): void
}

export interface PackedFolder {
  readonly folder: string
  /** Runs Node in the folder. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Finished
  /** Runs the `framework` command in the folder. */
  framework(...args: string[]): Finished
  /** Path of a package that is installed there. */
  installed(name: string): string
  write(file: string, content: string): void
  read(file: string): string
  /** Copies a folder of this repository into it. */
  copy(fixture: string): void
}

/** Makes the tarball that would be published, for as long as `t` lasts. */
export function pack(t: Lasting): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-tarball-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  const [{ filename }] = JSON.parse(output) as [{ filename: string }]
  return join(folder, filename)
}

/**
 * A folder with nothing but what `tarball` holds, the packages that it says it depends on, and `packages`, of those that
 * are installed here.
 */
export function createPackedFolder(
  t: Lasting,
  tarball: string,
  packages: readonly string[] = [],
): PackedFolder {
  const folder = mkdtempSync(join(tmpdir(), 'framework-packed-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = (file: string): string => join(folder, file)
  const installed = (name: string): string => path(`node_modules/${name}`)
  mkdirSync(installed('framework'), { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', installed('framework'), '--strip-components=1'])
  const manifest = JSON.parse(
    readFileSync(join(installed('framework'), 'package.json'), 'utf8'),
  ) as { bin: { framework: string }; dependencies: Record<string, string> }
  for (const name of [...Object.keys(manifest.dependencies), ...packages]) {
    mkdirSync(dirname(installed(name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), installed(name), 'dir')
  }
  const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Finished => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      // What the runner of these tests tells its children is not for other runners.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...env },
    })
    return { status, stdout, stderr }
  }
  return {
    folder,
    node,
    framework: (...args) => node([join(installed('framework'), manifest.bin.framework), ...args]),
    installed,
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
