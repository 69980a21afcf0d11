import type { TakenPort } from './taken-port.ts'

/** Explains that a port is in use, with the next step. */
export function portText({ port, address }: TakenPort): string {
  return `port ${port} of ${address} is in use. \`--port ${port + 1}\` sets PORT for the application`
}
