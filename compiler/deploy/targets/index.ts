import { bun, deno } from './bun-deno.ts'
import { lambda } from './lambda.ts'
import { node } from './node.ts'
import type { Platform } from './platform.ts'
import { vercel } from './vercel.ts'
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
