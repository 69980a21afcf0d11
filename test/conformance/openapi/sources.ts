import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Application } from './applications.ts'

/** Where the applications are fetched to and installed; about 650 MB. `OPENAPI_CACHE` names another place. */
const cache = resolve(process.env['OPENAPI_CACHE'] ?? join(tmpdir(), 'openapi-cache'))

const tsc = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))

/** Fetches an application from its repository and installs what its lock file says, once per machine. */
export function fetchApplication({ name, commit, compiled }: Application): string {
  const folder = join(cache, name)
  const mark = join(folder, '.fetched')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === commit) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const run = (command: string, ...args: readonly string[]): void => {
    execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  run('git', 'init', '--quiet')
  run('git', 'fetch', '--quiet', '--depth', '1', `https://github.com/${name}`, commit)
  run('git', 'checkout', '--quiet', 'FETCH_HEAD')
  run('npm', 'ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  if (compiled !== undefined) run(process.execPath, tsc, '--noCheck')
  // Last: what was interrupted starts anew.
  writeFileSync(mark, commit)
  return folder
}
