/** Other commits of this repository, built to compare them. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/root.ts'

/** Packages of this repository, which a commit has itself. `.bin` links to them. */
const own = new Set(['framework', '@framework', '.bin'])

/** Builds a commit, unless that is done already. Returns its folder. It shares the installed packages. */
export function checkout(commit: string): string {
  const run = (command: string, args: readonly string[], cwd: string): Buffer =>
    execFileSync(command, args, { cwd, maxBuffer: Infinity })
  const id = run('git', ['rev-parse', '--verify', `${commit}^{commit}`], root)
    .toString()
    .trim()
  const folder = join(root, 'dist/bench/guard/commits', id)
  if (existsSync(join(folder, 'compiler/dist/cli.js'))) return folder
  rmSync(folder, { recursive: true, force: true })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@framework'), { recursive: true })
  mkdirSync(join(modules, '.bin'))
  const archive = join(folder, 'commit.tar')
  run('git', ['archive', '--output', archive, id], root)
  run('tar', ['-xf', archive], folder)
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => !own.has(each)))
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  symlinkSync(join(folder, 'runtime'), join(modules, 'framework'))
  symlinkSync(join(folder, 'compiler'), join(modules, '@framework/compiler'))
  console.log(`Builds ${commit}`)
  run(process.execPath, [join(modules, 'typescript/bin/tsc')], folder)
  run(process.execPath, [join(modules, 'rollup/dist/bin/rollup'), '--config', '--silent'], folder)
  return folder
}
