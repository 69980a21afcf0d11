import type { Values } from '../command.ts'
import type { Known } from '../manifest.ts'
import { knownOf } from '../manifest.ts'
import type { Outcome, Output } from '../output.ts'
import type { compilerOptions } from './compiler-options.ts'
import { readCompilerOptions } from './compiler-options.ts'

/** What the commands take that read an artifact, beside the options of the compiler. */
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
