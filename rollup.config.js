/** Makes the files of both packages of what the type checker has written to `dist/`. */
import { compiler } from './packaging/compiler.js'
import { runtime } from './packaging/runtime.js'

export default [...runtime, ...compiler].map((options) => ({
  ...options,
  onwarn(warning) {
    throw new Error(warning.message)
  },
}))
