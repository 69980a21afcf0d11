/** Folders of projects that `framework init` prepares. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { type InitOptions, type Plan, planInit } from '../../../compiler/init/index.ts'
import { type Finished, runCommand } from '../../support/command-runs.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { root } from '../../support/root.ts'

export interface Project {
  readonly folder: string
  read(file: string): string
  /** All files and their texts, without packages. */
  all(): Readonly<Record<string, string>>
  init(...args: string[]): Finished
}

/** A folder with these files. A text of `LINK:` leads to a folder of this repository. */
export function project(t: TestContext, files: Readonly<Record<string, string>>): Project {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, '.git'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    if (text.startsWith('LINK:')) symlinkSync(join(root, text.slice(5)), join(folder, file))
    else writeFileSync(join(folder, file), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  return {
    folder,
    read,
    all: () =>
      Object.fromEntries(
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => !file.includes('node_modules') && statSync(join(folder, file)).isFile())
          .map((file) => [file, read(file)]),
      ),
    init: (...args) => runCommand(folder, ['init', '--yes', ...args]),
  }
}

export async function planFor(
  folder: string,
  entry?: string,
  wish: Partial<InitOptions> = {},
): Promise<Plan> {
  const plan = await planInit({ folder, entry, line: undefined, ...wish })
  assert.ok('files' in plan, JSON.stringify(plan))
  return plan
}

export const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
