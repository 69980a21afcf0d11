/** The warnings that an action causes, at once or in the turn after. */
import { turns } from './turns.ts'

export interface Warning {
  readonly name: string
  readonly message: string
  readonly code?: string
}

export async function warningsOf(action: () => unknown): Promise<readonly Warning[]> {
  const seen: Warning[] = []
  const listener = ({ name, message, code }: Warning): void => {
    seen.push({ name, message, ...(code !== undefined && { code }) })
  }
  process.on('warning', listener)
  action()
  await turns(1)
  process.off('warning', listener)
  return seen
}
