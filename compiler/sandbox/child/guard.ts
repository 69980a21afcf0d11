/**
 * Denies what Node's permission model permits: the network up to Node 24, signals to other processes and their priorities, trace files,
 * and exiting this one. Child processes, which it denies as well, are denied twice.
 *
 * This protects against code that runs by mistake. A program that looks for a way through Node's internals may still find one to the
 * network, where the permission model doesn't cover it.
 */
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import os from 'node:os'
import process from 'node:process'
import trace from 'node:trace_events'
import { refusal } from './describe-error.ts'

const refuse = (): never => {
  throw new Error(refusal)
}

export function denyAccess(): void {
  if (!process.allowedNodeEnvironmentFlags.has('--allow-net')) denyHandles()
  denyAll(net.Socket.prototype, /^connect$/)
  denyAll(net.Server.prototype, /^listen$/)
  denyAll(net, /^_createServerHandle$/)
  denyAll(dgram, /^(?:createSocket|Socket|_createSocketHandle)$/)
  denyAll(dns, /^(?:lookup|resolve|reverse)/)
  denyAll(dns.promises, /^(?:lookup|resolve|reverse)/)
  denyAll(childProcess, /^(?:exec|fork|spawn)/)
  denyAll(process, /^(?:abort|exit|reallyExit|_?kill|_debugProcess|_debugEnd)$/)
  denyAll(os, /^setPriority$/)
  denyAll(trace, /^createTracing$/)
}

function denyAll(owner: object, names: RegExp): void {
  for (const name of Object.getOwnPropertyNames(owner)) {
    if (names.test(name) && typeof Reflect.get(owner, name) === 'function') {
      Object.defineProperty(owner, name, { value: refuse, configurable: true, writable: true })
    }
  }
}

/** Denies the handles of sockets, which can be reached from every socket. */
function denyHandles(): void {
  const udp = dgram.createSocket('udp4')
  // The name is never looked up, so this connects to nothing, but creates the handle.
  const tcp = new net.Socket().connect({ host: 'nowhere', port: 1, lookup: () => undefined })
  for (const socket of [udp, tcp, process.stderr, new dns.Resolver()]) {
    const handle = handleOf(socket)
    if (handle === undefined) continue
    const prototype = Object.getPrototypeOf(handle) as object
    denyAll(prototype, /^(?:bind|connect|listen|open|send|query|getHostByAddr)/)
  }
  udp.close()
  tcp.destroy()
}

/** Finds the handle: `_handle` of most sockets and of resolvers, `handle` in the state that dgram keeps under a symbol. */
function handleOf(socket: object): object | undefined {
  const states = Object.getOwnPropertySymbols(socket).map((key): unknown =>
    Reflect.get(socket, key),
  )
  const holders = [socket, ...states].filter((one) => typeof one === 'object' && one !== null)
  return holders
    .flatMap((one): unknown[] => [
      Reflect.get(one as object, '_handle'),
      Reflect.get(one as object, 'handle'),
    ])
    .find((one): one is object => typeof one === 'object' && one !== null)
}
