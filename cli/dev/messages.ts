/** What the process of an application tells the command, over the channel that workers of a cluster have. */
import type { TakenPort } from './taken-port.ts'

export type Message =
  /** It cannot listen because somebody else does. */
  | { readonly frameworkDev: 'taken'; readonly taken: TakenPort }
  /** A server of it gets no more connections, and those that waited for another request are closed. */
  | { readonly frameworkDev: 'released' }

/** @returns whether there is anybody to hear it: behind a command of the user's there is no channel. */
export function tell(message: Message): boolean {
  if (process.send === undefined) return false
  process.send(message)
  return true
}

export function isMessage<Kind extends Message['frameworkDev']>(
  kind: Kind,
  message: unknown,
): message is Extract<Message, { frameworkDev: Kind }> {
  return (message as Partial<Message> | null)?.frameworkDev === kind
}
