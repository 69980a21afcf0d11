/** Preloaded with `--import`: from here on `framework` means the real Fastify in this process. */
import { register } from 'node:module'

register('./oracle-hooks.js', import.meta.url)
