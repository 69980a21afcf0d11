/** The configuration of samples in `fixtures/scan`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../../compiler/model/index.ts'
import type { SampleConfig } from './samples.ts'

export interface ScanConfig extends SampleConfig {
  /** Default: the first of app.ts, app.js… that exists. */
  readonly entry?: string
  /** How to boot what the entry exports: `plugin`, `factory <name>`, `class <name>`. */
  readonly boots?: string
  /** Environments to boot in; what they show together must be what the scan shows. */
  readonly environments?: readonly Readonly<Record<string, string>>[]
  /** Contexts are registered in an order that chance decides. */
  readonly unordered?: boolean
  /** The environment to boot in. */
  readonly env?: Readonly<Record<string, string>>
  /** Parts of route schemas that are no data: the scan leaves them out. */
  readonly leavesOut?: readonly string[]
  /** Problems that the scan must report; the sample isn't booted then. */
  readonly diagnostics?: readonly (Pick<Diagnostic, 'code' | 'message'> & {
    readonly file: string
    readonly line: number
    readonly column: number
  })[]
}

/** Where a sample starts that does not say so. */
export function firstEntry(dir: string): string {
  const names = [
    'app.ts',
    'app.js',
    'app.mts',
    'app.cts',
    'app.mjs',
    'app.cjs',
    'src/app.ts',
    'src/app.js',
    'app/app.ts',
    'app/app.js',
  ]
  const found = names.find((name) => existsSync(join(dir, name)))
  if (found === undefined) throw new Error(`${dir} has no entry`)
  return found
}
