/** A framework under attack. */
import { CaseProcess } from '../support/case-process.ts'
import { HANGS, ends } from './reproduction.ts'

export class Engine extends CaseProcess<number, string> {
  constructor(args: readonly string[], execArgv: readonly string[] = []) {
    super({ file: new URL('child.js', import.meta.url), args, execArgv, patience: 3000 })
  }

  /** Runs the reproduction with this number; returns the observation. */
  async attack(index: number): Promise<string[]> {
    const { seen, died } = await this.run(index)
    if (died === undefined) return seen
    return [...seen, died === 'hangs' ? HANGS : ends(errorIn(died))]
  }
}

/** The line that Node prints for an uncaught error, or the whole output. */
function errorIn(output: string): string {
  return /^\w*Error.*$/m.exec(output)?.[0] ?? output
}
