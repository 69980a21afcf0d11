/** Makes the build of the runtime for platforms without Node's modules and globals. */
import inject from '@rollup/plugin-inject'
import { resolve } from 'node:path'

const platform = resolve('dist/runtime/platform')
const replacements = ['globals', 'process'].map((name) => `${platform}/web/${name}.js`)

/** Libraries that replace Node's modules. They are installed with the compiler, whose deployments are bundled from this build. */
export const libraries = [
  '@noble/hashes/hmac.js',
  '@noble/hashes/legacy.js',
  '@noble/hashes/sha2.js',
  'buffer/index.js',
  'events/events.js',
  'node-inspect-extracted',
  'process/browser.js',
  'readable-stream/lib/ours/browser.js',
]

/** Replaces the implementation of the folder `platform`. */
export const withPlatform = (file) => ({
  name: 'platform',
  load: (id) => (id === `${platform}/index.js` ? `export * from './${file}'` : null),
})

export const nodeGlobals = inject({
  modules: { Buffer: [replacements[0], 'Buffer'], process: replacements[1] },
  exclude: replacements,
})
