/** Tests that are folders: `fixtures/<kind>/<case>` contains the input, and its `_config.js` the expected result. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { root } from './root.ts'

/** The exports that every `_config.js` may have, besides those of its kind. */
export interface SampleConfig {
  /** A sentence: the test's title. */
  readonly description: string
}

export interface Sample<Config extends SampleConfig> {
  readonly name: string
  /** The absolute path of the folder. */
  readonly dir: string
  readonly config: Config
}

export async function loadSamples<Config extends SampleConfig>(
  kind: string,
): Promise<Sample<Config>[]> {
  const folder = join(root, 'fixtures', kind)
  const names = readdirSync(folder).sort()
  return Promise.all(
    names.map(async (name) => {
      const dir = join(folder, name)
      const file = pathToFileURL(join(dir, '_config.js')).href
      const { default: config } = (await import(file)) as { default: Config }
      if (!config.description) throw new Error(`${name}/_config.js has no description`)
      return { name, dir, config }
    }),
  )
}

export async function samples<Config extends SampleConfig>(
  kind: string,
  run: (sample: Sample<Config>) => Promise<void>,
): Promise<void> {
  for (const sample of await loadSamples<Config>(kind)) {
    test(`${sample.name}: ${sample.config.description}`, () => run(sample))
  }
}
