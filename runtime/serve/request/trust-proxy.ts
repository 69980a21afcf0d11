import type { IncomingMessage } from 'node:http'
import { emitWarning } from '../../errors/warnings.ts'
import { loadPackage } from '../load-package.ts'
import type { Request, RequestClass } from '../model.ts'
import { kDecorated } from '../symbols.ts'

type Trust = (address: string, hop: number) => boolean

/** The factory option `trustProxy`. */
export type TrustProxy = boolean | number | string | string[] | Trust

interface ProxyAddr {
  compile(addresses: string[]): Trust
}

/** Makes `ip`, `ips`, the host and `protocol` read the headers of trusted proxies. */
export function trustProxy(
  Class: RequestClass,
  option: TrustProxy,
  host: 'host' | 'hostname',
): void {
  const trust = toTrust(option)
  Class[kDecorated] = true
  Object.defineProperties(Class.prototype as object, {
    ip: {
      get(this: Request) {
        return trustedAddresses(this.raw, trust).at(-1)
      },
    },
    ips: {
      get(this: Request) {
        return trustedAddresses(this.raw, trust)
      },
    },
    [host]: {
      get(this: Request) {
        const forwarded = this.headers['x-forwarded-host']
        if (forwarded && trustsPeer(this.raw, trust)) return lastOf(forwarded)
        return host === 'hostname'
          ? this.headers.host || this.headers[':authority']
          : (this.headers.host ?? this.headers[':authority'] ?? '')
      },
    },
    protocol: {
      get(this: Request) {
        const forwarded = this.headers['x-forwarded-proto']
        if (forwarded && trustsPeer(this.raw, trust)) return lastOf(forwarded)
        if (!this.socket) return undefined
        return this.socket.encrypted ? 'https' : 'http'
      },
    },
  })
}

function toTrust(option: TrustProxy): Trust {
  if (typeof option === 'function') return option
  if (option === true) return () => true
  if (typeof option === 'number') {
    // A client that connects directly would count as the first hop, and be trusted.
    emitWarning('FST_AOT_TRUST_PROXY_COUNT')
    return () => false
  }
  const { compile } = loadPackage('@fastify/proxy-addr') as ProxyAddr
  if (typeof option === 'string') {
    return compile(option.split(',').map((address) => address.trim()))
  }
  return compile(option as string[])
}

/** Returns whether the peer of the connection is a trusted proxy. Only its headers for host and protocol are read. */
function trustsPeer({ socket }: IncomingMessage, trust: Trust): boolean {
  return Boolean(socket) && trust(socket.remoteAddress as string, 0)
}

/**
 * Returns the address of the connection and the forwarded ones, nearest first, up to the first that isn't trusted.
 *
 * This doesn't use @fastify/proxy-addr, which only lists of addresses need.
 */
function trustedAddresses(raw: IncomingMessage, trust: Trust): (string | undefined)[] {
  const forwarded = ((raw.headers['x-forwarded-for'] as string | undefined) ?? '')
    .split(',')
    .map((address) => address.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((address) => address !== '')
  const addresses = [raw.socket.remoteAddress, ...forwarded.reverse()]
  const last = addresses.findIndex(
    (address, hop) => hop === addresses.length - 1 || !trust(address as string, hop),
  )
  return addresses.slice(0, last + 1)
}

/** Returns the last value, which the nearest proxy has added. */
function lastOf(header: string): string {
  return header.slice(header.lastIndexOf(',') + 1).trim()
}
