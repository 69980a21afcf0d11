import type { Values } from '../command.ts'
import type { Known } from '../manifest.ts'
import { knownOf } from '../manifest.ts'
import type { Outcome, Output } from '../output.ts'
import type { compilerOptions } from './compiler-options.ts'
import { readCompilerOptions } from './compiler-options.ts'

/** Options of the commands that read an artifact, beside the compiler's options. */
export const artifactOption = {
  artifact: {
    type: 'string',
    value: 'dir',
    summary: 'folder of the artifact (default: .framework beside package.json)',
  },
} as const

export function readKnown(
  values: Values<typeof artifactOption & typeof compilerOptions>,
  entry: string | undefined,
  output: Output,
): Promise<Known | Outcome> {
  return knownOf(entry, { ...readCompilerOptions(values), out: values.artifact }, output)
}
