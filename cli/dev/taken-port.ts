/** Recognizes and reports a port that is in use. */
import { sendMessage } from './messages.ts'

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

export function reportTakenPort(error: unknown): void {
  const taken = takenPort(error)
  if (taken === undefined) return
  if (!sendMessage({ frameworkDev: 'taken', taken })) console.error(`framework ${portText(taken)}`)
}

/** Explains that a port is in use, with the next step. */
export function portText({ port, address }: TakenPort): string {
  return `port ${port} of ${address} is in use. \`--port ${port + 1}\` sets PORT for the application`
}
