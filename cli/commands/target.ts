import type { Line } from '../../runtime/artifact/lines.ts'
import { lines } from '../../runtime/artifact/lines.ts'

/** `--target` of `build` and `init`: which server the artifact is for. */
export const targetOption: {
  readonly type: 'string'
  readonly short: string
  readonly value: string
  readonly choices: readonly string[]
  readonly summary: string
} = {
  type: 'string',
  short: 't',
  value: 'target',
  choices: lines,
  summary: `what serves it: ${lines.join(', ')} (default: what the entry imports)`,
}

export function lineOf(target: string | undefined): Line | undefined {
  return lines.find((one) => one === target)
}
