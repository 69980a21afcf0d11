/** Folders of projects that `framework init` prepares. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { applyChanges, type InitOptions, type Plan, planInit } from '../../../cli/init/index.ts'
import { type Finished, runCommand } from '../../support/command-runs.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { root } from '../../support/root.ts'

/** A text that begins with `LINK:` leads to a folder of this repository. */
export type Files = Readonly<Record<string, string | object>>

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly overrides?: object
  readonly resolutions?: object
}

export interface Project {
  readonly folder: string
  read(file: string): string
  manifest(): Manifest
  /** All files and their texts, without packages. */
  all(): Readonly<Record<string, string>>
  init(...args: string[]): Finished
  plan(entry?: string, wish?: Partial<InitOptions>): Promise<Plan>
  /** Carries out the plan. */
  prepare(entry?: string, wish?: Partial<InitOptions>): Promise<Plan>
}

export function project(t: TestContext, files: Files): Project {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, '.git'))
  for (const [file, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : json(content)
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    if (text.startsWith('LINK:')) symlinkSync(join(root, text.slice(5)), join(folder, file))
    else writeFileSync(join(folder, file), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const plan: Project['plan'] = async (entry, wish) => {
    const found = await planInit({
      folder,
      entry: entry && join(folder, entry),
      line: undefined,
      ...wish,
    })
    assert.ok('files' in found, JSON.stringify(found))
    return found
  }
  return {
    folder,
    read,
    manifest: () => JSON.parse(read('package.json')) as Manifest,
    all: () =>
      Object.fromEntries(
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => !file.includes('node_modules') && statSync(join(folder, file)).isFile())
          .map((file) => [file, read(file)]),
      ),
    init: (...args) => runCommand(folder, ['init', '--yes', ...args]),
    plan,
    async prepare(...args) {
      const done = await plan(...args)
      assert.equal(applyChanges(done), undefined)
      return done
    },
  }
}

/** A project with an application for Fastify in `app.js`. */
export function application(t: TestContext, manifest: object, files: Files = {}): Project {
  return project(t, {
    'package.json': manifest,
    'app.js': "require('fastify')().listen()\n",
    ...files,
  })
}

export const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
