/** Says, in the process of an application, that it cannot listen because somebody else does. */
import { portText } from './port-text.ts'

/** Where somebody else listens. */
export interface TakenPort {
  readonly port: number
  readonly address: string
}

/** What the process tells the command. */
export interface TakenMessage {
  readonly frameworkDev: 'taken'
  readonly taken: TakenPort
}

export function takenPort(error: unknown): TakenPort | undefined {
  const { code, port, address } = (error ?? {}) as Partial<TakenPort & { code: string }>
  if (code !== 'EADDRINUSE' || port === undefined || address === undefined) return undefined
  return { port, address }
}

export function tellTaken(error: unknown): void {
  const taken = takenPort(error)
  if (taken === undefined) return
  const message: TakenMessage = { frameworkDev: 'taken', taken }
  // Behind a command of the user's there is no channel to the command.
  if (process.send === undefined) console.error(`framework ${portText(taken)}`)
  else process.send(message)
}

export function isTakenMessage(message: unknown): message is TakenMessage {
  return (message as Partial<TakenMessage> | null)?.frameworkDev === 'taken'
}
