/** Preloaded with `--import`: makes `framework` create applications that only use Node's public interface. */
import { register } from 'node:module'

const framework = new URL('public-interface-factory.js', import.meta.url).href
register('./oracle-hooks.js', import.meta.url, { data: { framework } })
