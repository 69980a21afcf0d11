import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Score, scoreTap } from './tap.ts'

/** The suite, and the tools it was written for. */
const packages = { 'find-my-way': '7.7.0', rfdc: '1.3.0', tap: '16.3.4' }

const fileTimeout = 60_000

/** Where the packages are installed; about 70 MB. */
export const cacheDir: string = join(tmpdir(), 'framework-router-conformance')

const peerDir = join(cacheDir, 'node_modules', 'find-my-way')

/** Installs find-my-way and what its tests need, once per machine. Takes about 15 s. */
export function installSuite(): void {
  if (existsSync(join(peerDir, 'package.json')) && existsSync(join(cacheDir, 'installed'))) {
    return
  }
  mkdirSync(cacheDir, { recursive: true })
  const manifest = { name: 'router-conformance', private: true, dependencies: packages }
  writeFileSync(join(cacheDir, 'package.json'), JSON.stringify(manifest, null, 2))
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  execFileSync('npm', args, { cwd: cacheDir, stdio: ['ignore', 'ignore', 'inherit'] })
  writeFileSync(join(cacheDir, 'installed'), '')
}

/** The test files, relative to the suite's folder. */
export function listTestFiles(): string[] {
  return readdirSync(join(peerDir, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .sort()
}

/** Runs one test file, against find-my-way itself or against our router without code generation. */
export function runTestFile(file: string, subject: 'peer' | 'ours'): Promise<Score> {
  const redirect = fileURLToPath(new URL('./redirect.js', import.meta.url))
  const flags =
    subject === 'ours' ? ['--disallow-code-generation-from-strings', '--import', redirect] : []
  const env = { ...process.env, CONFORMANCE_PEER: join(peerDir, 'index.js') }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...flags, join(peerDir, 'test', file)],
      { env, timeout: fileTimeout, maxBuffer: 1 << 26 },
      // The exit code says no more than the points that are missing or not ok.
      (_error, stdout) => resolve(scoreTap(stdout)),
    )
  })
}
