/** Copies of fixtures that a test may change, build and run. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { commandFile } from './command-file.ts'
import type { Diagnostic, Manifest } from '../../compiler/index.ts'
import { type Finished, runCommand, runNode } from './command-runs.ts'
import { type CommandOptions, type LastingCommand, startCommand } from './command.ts'
import { type Lasting, temporaryFolder, writeAll } from './folders.ts'
import { root } from './root.ts'

/** The output of a command with `--json`. */
export interface Printed<Result> {
  readonly ok: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly result: Result
}

export interface Workshop {
  readonly folder: string
  framework(...args: string[]): Finished
  /** Runs the `framework` command, which must succeed. Returns its standard output. */
  succeed(...args: string[]): string
  /** Runs the `framework` command, which must find problems. Returns its standard error. */
  fail(...args: string[]): string
  /** Runs the `framework` command with `--json`. */
  json<Result>(...args: string[]): Printed<Result>
  /** Runs the `framework` command with `--json`, which must succeed. Returns the result. */
  result<Result>(...args: string[]): Result
  /** Runs the `framework` command with `--json`, which must succeed. Returns the warnings. */
  warnings(...args: string[]): readonly Diagnostic[]
  /** Starts the `framework` command. */
  open(args: readonly string[], more?: Partial<CommandOptions>): LastingCommand
  /** Runs the `framework` command and kills it after `delay` ms, unless it is done by then. */
  interrupt(delay: number, ...args: string[]): Promise<void>
  node(...args: string[]): Finished
  /** Runs Node in the folder with the artifact in `.framework`, where code generation is refused. */
  start(...args: string[]): Finished
  /** Runs Node in the folder, where code generation is refused. Returns the JSON that it prints. */
  answer<Result>(...args: string[]): Result
  /** Runs Node in the folder with `framework/development`. */
  develop(...args: string[]): Finished
  /** The manifest of the artifact in `.framework`. */
  manifest(): Manifest
  /** Links packages of this repository into the folder. */
  install(...names: string[]): void
  read(file: string): string
  /** Creates the folders above as well. */
  write(file: string, content: string): void
  writeApp(content: string): Workshop
  /** Replaces the first `from`; throws if there isn't any. */
  edit(file: string, from: string, to: string): void
  /** Paths of all files and folders below `folder`, sorted. */
  list(folder: string): string[]
}

/** The application of `fixtures/cli/shop` with its artifact. */
export function createBuiltShop(t: Lasting): Workshop {
  const shop = createWorkshop(t, 'cli/shop')
  shop.succeed('build', 'app.js')
  return shop
}

/** Copies `fixtures/<fixture>` to a package of its own that has `framework` installed and `files`, for as long as `t` lasts. */
export function createWorkshop(
  t: Lasting,
  fixture: string,
  files: Readonly<Record<string, string | object>> = {},
): Workshop {
  const folder = temporaryFolder(t)
  cpSync(join(root, 'fixtures', fixture), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'runtime'), join(folder, 'node_modules/framework'), 'dir')
  mkdirSync(join(folder, 'node_modules/@framework'))
  symlinkSync(join(root, 'compiler'), join(folder, 'node_modules/@framework/compiler'), 'dir')
  writeAll(folder, files)
  const path = (file: string): string => join(folder, file)
  const framework = (...args: string[]): Finished => runCommand(folder, args)
  const inFolder = (file: string): string => {
    mkdirSync(dirname(path(file)), { recursive: true })
    return path(file)
  }
  const shop: Workshop = {
    folder,
    framework,
    succeed(...args) {
      const { status, stdout, stderr } = framework(...args)
      assert.equal(status, 0, stdout + stderr)
      return stdout
    },
    fail(...args) {
      const { status, stdout, stderr } = framework(...args)
      assert.equal(status, 1, stdout + stderr)
      return stderr
    },
    json(...args) {
      const { status, stdout, stderr } = framework(...args, '--json')
      assert.equal(stderr, '')
      const printed = JSON.parse(stdout) as { readonly ok: boolean }
      assert.equal(status, printed.ok ? 0 : 1)
      return printed as never
    },
    result<Result>(...args: string[]) {
      const { ok, result, diagnostics } = shop.json<Result>(...args)
      assert.ok(ok, JSON.stringify(diagnostics))
      return result
    },
    warnings(...args) {
      const { ok, warnings, diagnostics } = shop.json(...args)
      assert.ok(ok, JSON.stringify(diagnostics))
      return warnings
    },
    open: (args, more) => startCommand(t, { folder, args, ...more }),
    async interrupt(delay, ...args) {
      const command = [commandFile, ...args]
      const child = spawn(process.execPath, command, { cwd: folder, stdio: 'ignore' })
      const timer = setTimeout(() => child.kill('SIGKILL'), delay)
      await once(child, 'exit')
      clearTimeout(timer)
    },
    node: (...args) => runNode(folder, args),
    start(...args) {
      const flags = [
        '--disallow-code-generation-from-strings',
        '--import',
        './.framework/register.js',
      ]
      return runNode(folder, [...flags, ...args])
    },
    answer(...args) {
      const { stdout, stderr } = shop.node('--disallow-code-generation-from-strings', ...args)
      assert.notEqual(stdout, '', stderr)
      return JSON.parse(stdout) as never
    },
    develop: (...args) => runNode(folder, ['--import', 'framework/development', ...args]),
    manifest: () => JSON.parse(readFileSync(path('.framework/manifest.json'), 'utf8')) as Manifest,
    install(...names) {
      for (const name of names)
        symlinkSync(join(root, 'node_modules', name), inFolder(`node_modules/${name}`), 'dir')
    },
    read: (file) => readFileSync(path(file), 'utf8'),
    write: (file, content) => writeFileSync(inFolder(file), content),
    writeApp(content) {
      writeFileSync(path('app.js'), content)
      return shop
    },
    edit(file, from, to) {
      const text = readFileSync(path(file), 'utf8')
      if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
      writeFileSync(path(file), text.replace(from, to))
    },
    list: (below) => pathsBelow(path(below)).sort(),
  }
  return shop
}

/** Messages about files that a deployment leaves out, by file. */
export function filesLeftOut(warnings: readonly Diagnostic[]): Map<string, string> {
  const left = warnings.filter(({ code }) => code === 'AOT_FILE_LEFT_OUT')
  return new Map(left.map(({ at, message }) => [at.file, message]))
}

/** Without entering links: that of `framework` leads to the whole checkout, in which other tests come and go. */
function pathsBelow(folder: string, trail = ''): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = join(trail, entry.name)
    if (!entry.isDirectory()) return [name]
    return [name, ...pathsBelow(join(folder, entry.name), name)]
  })
}
