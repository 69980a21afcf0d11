/** Makes the files of both packages of what the type checker has written to `dist/`. */
import { rmSync } from 'node:fs'
import { compiler } from './packaging/compiler.js'
import { runtime } from './packaging/runtime.js'

// npm packs whatever is there.
for (const folder of ['compiler/dist', 'runtime/dist'])
  rmSync(folder, { recursive: true, force: true })

export default [...runtime, ...compiler].map((options) => ({
  ...options,
  onwarn(warning) {
    throw new Error(warning.message)
  },
}))
