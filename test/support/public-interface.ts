/** Preloaded with `--import`: from here on `framework` makes applications that only use Node's public interface. */
import { register } from 'node:module'

register('./public-interface-hooks.js', import.meta.url)
