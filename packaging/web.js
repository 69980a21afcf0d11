/** What makes a build of the runtime for where there are none of Node's modules, nor what is global there. */
import inject from '@rollup/plugin-inject'
import { resolve } from 'node:path'

const platform = resolve('dist/runtime/platform')
const standIns = ['globals', 'process'].map((name) => `${platform}/web/${name}.js`)

/** They are installed with the compiler, whose deployments are bundled from this build. */
export const libraries = [
  '@noble/hashes/hmac.js',
  '@noble/hashes/legacy.js',
  '@noble/hashes/sha2.js',
  'buffer/index.js',
  'crc-32',
  'events/events.js',
  'node-inspect-extracted',
  'process/browser.js',
  'readable-stream/lib/ours/browser.js',
]

/** The room `platform` is that of the web. */
export const webPlatform = {
  name: 'web-platform',
  load: (id) => (id === `${platform}/index.js` ? `export * from './web/index.js'` : null),
}

export const nodeGlobals = inject({
  modules: { Buffer: [standIns[0], 'Buffer'], process: standIns[1] },
  exclude: standIns,
})
