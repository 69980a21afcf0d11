/** Preloaded with `--import`: makes `framework` resolve to a Fastify that was broken on purpose. */
import { register } from 'node:module'
import { peers } from './oracle-hooks.ts'

const framework = new URL('broken-fastify.js', import.meta.url).href
register('./oracle-hooks.js', import.meta.url, { data: { ...peers, framework } })
