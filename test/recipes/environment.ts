/** The environment of recipes: package managers, and a registry that has the packages of this checkout. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { installOnce } from '../conformance/install.ts'
import { cacheDir } from '../conformance/suite.ts'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pack } from '../support/packed.ts'
import { type Recipe, runRecipe } from './page.ts'
import { startRegistry } from './registry.ts'
import { type Lasting, temporaryFolder } from '../support/folders.ts'

/** Package managers, by the package that installs them. */
export const managers = {
  pnpm: { pnpm: '12.21.0' },
  pnpm10: { pnpm: '10.34.8' },
  yarn1: { yarn: '1.22.22' },
  yarn4: { '@yarnpkg/cli-dist': '4.18.1' },
} as const

type Manager = Readonly<Record<string, string>>

export interface RecipeWith extends Recipe {
  /** The package manager, if it isn't npm. */
  readonly manager?: Manager
  /** Returns a program that is started by its name alone, once it is installed. */
  readonly program?: () => string
}

/** Creates a test for each. They install packages, which takes minutes. */
export async function recipes(list: readonly RecipeWith[]): Promise<void> {
  const env = await recipeEnv({ after })
  for (const { manager = {}, program, ...recipe } of list) {
    const title = [recipe.page, recipe.section, ...Object.keys(manager)].filter(Boolean).join(', ')
    test(title, (t) => runRecipe(t, recipe, env(manager, program?.())))
  }
}

/** Packs both packages and starts a registry, for as long as `t` lasts; returns the variables for package managers. */
async function recipeEnv(
  t: Lasting,
): Promise<(manager: Manager, program?: string) => Readonly<Record<string, string>>> {
  const tarballs = pack(t)
  const clone = dirname(tarballs.runtime)
  symlinkSync(fileURLToPath(new URL('../../../fixtures', import.meta.url)), join(clone, 'fixtures'))
  const registry = await startRegistry(t, tarballs)
  // Yarn 4 keeps settings for all projects there.
  const home = temporaryFolder(t)
  // Without variables of the test runner and of npm scripts.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_TEST|NODE_OPTIONS$|CI$)/i.test(name),
  )
  return (manager, program = process.execPath) => ({
    ...(Object.fromEntries(inherited) as Record<string, string>),
    HOME: home,
    LANG: 'C.UTF-8',
    // The packed files are in a clone, beside the applications to test.
    CLONE: clone,
    PATH: [
      dirname(program),
      binOf(manager),
      dockerIn(home),
      dirname(process.execPath),
      process.env['PATH'],
    ].join(delimiter),
    NO_COLOR: '1',
    npm_config_registry: registry,
    npm_config_cache: join(cacheDir, 'npm'),
    ...('pnpm' in manager && {
      npm_config_store_dir: join(cacheDir, 'pnpm'),
      // Since version 11.
      pnpm_config_store_dir: join(cacheDir, 'pnpm'),
      pnpm_config_registry: registry,
    }),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    YARN_CACHE_FOLDER: join(cacheDir, 'yarn'),
    YARN_NODE_LINKER: 'node-modules',
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  })
}

/** A folder with a `docker` that works without a daemon, if the real one doesn't run. */
function dockerIn(home: string): string {
  const folder = join(home, 'bin')
  const { status } = spawnSync('docker', ['version'], { stdio: 'ignore' })
  if (status === 0) return folder
  mkdirSync(folder, { recursive: true })
  const program = fileURLToPath(new URL('./docker.js', import.meta.url))
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\nexec node '${program}' "$@"\n`, { mode: 0o755 })
  return folder
}

function binOf(manager: Manager): string {
  const [[name, version] = ['npm', '']] = Object.entries(manager)
  const folder = join(cacheDir, 'managers', `${name.replace(/.*\//, '')}-${version}`)
  if (name !== 'npm') installOnce(folder, { dependencies: manager }, () => undefined)
  return join(folder, 'node_modules/.bin')
}
