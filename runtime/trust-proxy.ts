import type { IncomingMessage } from 'node:http'
import type { Request, RequestClass } from './model.ts'
import { kDecorated } from './symbols.ts'

type Trust = (address: string, hop: number) => boolean

/** The factory option `trustProxy`. */
export type TrustProxy = boolean | number | string | string[] | Trust

type ProxyAddr = ((raw: IncomingMessage, trust: Trust) => string) & {
  all(raw: IncomingMessage, trust?: Trust): string[]
  compile(addresses: string[]): Trust
}

/** Lets `ip`, `ips`, `hostname` and `protocol` believe the headers of trusted proxies. */
export function trustProxy(Class: RequestClass, option: TrustProxy): void {
  const { createRequire } = process.getBuiltinModule('node:module')
  const proxyAddr = createRequire(import.meta.url)('proxy-addr') as ProxyAddr
  const trust = toTrust(option, proxyAddr)
  Class[kDecorated] = true
  Object.defineProperties(Class.prototype as object, {
    ip: {
      get(this: Request) {
        return proxyAddr(this.raw, trust)
      },
    },
    ips: {
      get(this: Request) {
        return proxyAddr.all(this.raw, trust)
      },
    },
    hostname: {
      get(this: Request & { ip?: string }) {
        const forwarded = this.headers['x-forwarded-host']
        if (this.ip !== undefined && forwarded) return lastOf(forwarded)
        return this.headers.host || this.headers[':authority']
      },
    },
    protocol: {
      get(this: Request) {
        const forwarded = this.headers['x-forwarded-proto']
        if (forwarded) return lastOf(forwarded)
        if (!this.socket) return undefined
        return this.socket.encrypted ? 'https' : 'http'
      },
    },
  })
}

function toTrust(option: TrustProxy, proxyAddr: ProxyAddr): Trust {
  if (typeof option === 'function') return option
  if (option === true) return () => true
  if (typeof option === 'number') return (_address, hop) => hop < option
  if (typeof option === 'string') {
    return proxyAddr.compile(option.split(',').map((address) => address.trim()))
  }
  return proxyAddr.compile(option as string[])
}

/** Of a header that was sent more than once: the nearest proxy's word. */
function lastOf(header: string): string {
  return header.slice(header.lastIndexOf(',') + 1).trim()
}
