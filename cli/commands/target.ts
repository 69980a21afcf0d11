import type { Line } from '../../runtime/artifact/lines.ts'
import { lines } from '../../runtime/artifact/lines.ts'
import type { Option } from '../command.ts'

/** `--target` of `build` and `init`: which server the artifact is for. */
export const targetOption: Option & { readonly type: 'string'; readonly multiple?: false } = {
  type: 'string',
  short: 't',
  value: 'target',
  choices: lines,
  summary: `what serves it: ${lines.join(', ')} (default: what the application imports)`,
}

export function lineOf(target: string | undefined): Line | undefined {
  return lines.find((one) => one === target)
}
