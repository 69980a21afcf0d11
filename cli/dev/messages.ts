/** Messages from the application's process to the command, over the cluster's channel. */
import type { TakenPort } from './taken-port.ts'

export type Message =
  /** A port is in use. */
  | { readonly frameworkDev: 'taken'; readonly taken: TakenPort }
  /** A server gets no more connections, and its idle connections are closed. */
  | { readonly frameworkDev: 'released' }

/** Sends a message. Returns false if there is no channel, as under a command of the user's. */
export function sendMessage(message: Message): boolean {
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
