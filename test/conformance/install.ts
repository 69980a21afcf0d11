import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of a `package.json` that say what to install. */
export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, unknown>>
}

/**
 * Installs packages into a folder, and then calls `prepare`; does nothing when both were done for the same manifest.
 *
 * @throws when npm fails
 */
export function installOnce(
  folder: string,
  manifest: Manifest,
  prepare: () => void,
  flags: readonly string[] = [],
): void {
  const text = JSON.stringify({ private: true, ...manifest }, null, 2)
  const file = join(folder, 'package.json')
  // Written last: what was interrupted starts anew.
  const mark = join(folder, 'installed.json')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === text) return
  rmSync(mark, { force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, text)
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', ...flags]
  const { status } = spawnSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' })
  if (status !== 0)
    throw new Error(
      `npm can't install packages into ${folder}. Is its registry reachable? It says why above.`,
    )
  prepare()
  writeFileSync(mark, text)
}
