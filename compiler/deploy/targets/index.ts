import { node } from './node.ts'
import type { Platform } from './platform.ts'
import { workerd } from './workerd.ts'

export type Target = 'node' | 'workerd'

export const platforms: Readonly<Record<Target, Platform>> = { node, workerd }

/** The platforms that there are. */
export const targets: readonly Target[] = Object.keys(platforms) as Target[]
