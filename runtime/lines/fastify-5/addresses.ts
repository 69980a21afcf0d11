import { nodeModule } from '../../platform/index.ts'

/** Returns the addresses that clients can use for a server on this address: loopback addresses first. */
export function addressesOf(address: string): string[] {
  if (address !== '0.0.0.0') return [address]
  const all = Object.values(nodeModule('node:os').networkInterfaces())
    .flatMap((ones) => ones ?? [])
    .filter(({ family }) => family === 'IPv4')
  return [
    ...all.filter(({ internal }) => internal),
    ...all.filter(({ internal }) => !internal),
  ].map(({ address }) => address)
}
