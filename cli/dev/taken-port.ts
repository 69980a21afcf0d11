/** Reports, from within the application's process, that a port is in use. */
import { tell } from './messages.ts'
import { portText } from './port-text.ts'

/** The address that another program listens at. */
export interface TakenPort {
  readonly port: number
  readonly address: string
}

export function takenPort(error: unknown): TakenPort | undefined {
  const { code, port, address } = (error ?? {}) as Partial<TakenPort & { code: string }>
  if (code !== 'EADDRINUSE' || port === undefined || address === undefined) return undefined
  return { port, address }
}

export function tellTaken(error: unknown): void {
  const taken = takenPort(error)
  if (taken === undefined) return
  if (!tell({ frameworkDev: 'taken', taken })) console.error(`framework ${portText(taken)}`)
}
