/** Preloaded with `--import`: from here on `framework` means a Fastify that was broken on purpose. */
import { register } from 'node:module'

register('./broken-hooks.js', import.meta.url)
