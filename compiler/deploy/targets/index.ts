import { lambda, vercel } from './functions.ts'
import type { Platform } from './platform.ts'
import { bun, deno, node } from './processes.ts'
import { web } from './web.ts'
import { workerd } from './workerd.ts'

export type Target = 'node' | 'lambda' | 'vercel' | 'workerd' | 'deno' | 'bun' | 'web'

export const platforms: Readonly<Record<Target, Platform>> = {
  node,
  lambda,
  vercel,
  workerd,
  deno,
  bun,
  web,
}

export const targets: readonly Target[] = Object.keys(platforms) as Target[]
