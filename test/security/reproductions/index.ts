import type { Reproduction } from '../reproduction.ts'
import { bodies } from './bodies.ts'
import { plugins } from './plugins.ts'
import { proxies } from './proxies.ts'
import { replies } from './replies.ts'
import { routing } from './routing.ts'
import { schemas } from './schemas.ts'
import { serializing } from './serializing.ts'

/** All reproductions by file, in the order of `docs/reference/security.md`. */
export const groups: Readonly<Record<string, readonly Reproduction[]>> = {
  routing,
  proxies,
  bodies,
  schemas,
  serializing,
  replies,
  plugins,
}

export const reproductions: readonly Reproduction[] = Object.values(groups).flat()
