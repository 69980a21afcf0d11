import { node } from './node.ts'
import type { Platform } from './platform.ts'

export type Target = 'node'

export const platforms: Readonly<Record<Target, Platform>> = { node }

/** The platforms that there are. */
export const targets: readonly Target[] = Object.keys(platforms) as Target[]
